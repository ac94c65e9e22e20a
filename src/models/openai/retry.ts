/** How long to wait before a request is sent again. */
export interface RetryRules {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A server that asks for a longer wait (Retry-After) is not asked again. */
  readonly longestServerDelayMs: number;
}

export const retryRules: RetryRules = {
  firstDelayMs: 250,
  longestDelayMs: 4_000,
  longestServerDelayMs: 10_000,
};

/**
 * Returns the milliseconds before attempt `attempt` + 1 (attempts count from 1), or undefined when it is not worth
 * waiting: what the server asks for, else exponential backoff with full jitter.
 *
 * @param random 0 to 1.
 */
export function retryDelayMs(
  rules: RetryRules,
  attempt: number,
  retryAfter: string | null,
  random: number,
): number | undefined {
  const asked = retryAfter === null ? Number.NaN : Number(retryAfter) * 1_000;
  if (asked >= 0)
    return asked <= rules.longestServerDelayMs ? asked + random * rules.firstDelayMs : undefined;
  return random * Math.min(rules.longestDelayMs, rules.firstDelayMs * 2 ** attempt);
}

/** Statuses after which the same request may succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}
