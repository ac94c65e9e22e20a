import type { Standing } from '../../services/admission/admission.ts';

/**
 * Names of the headers on every authenticated answer, and of those that a browser's script may read besides
 * (interface, sections 2.1 and 8.1).
 */
export const exposedHeaders = [
  'X-Service-Api-Key-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Service-Rate-Limit',
  'X-Service-Rate-Used',
  'X-Service-Budget-Limit',
  'X-Service-Budget-Used',
  'Retry-After',
  'Content-Disposition',
  'X-Service-File-Id',
  'X-Service-Warnings',
  'X-Request-Id',
  'Idempotency-Replayed',
] as const;

const budgetUsed = 'x-service-budget-used';

/** Writes where an authenticated caller stands: key id, hourly limit, budget. */
export function setStandingHeaders(header: Headers, { principal, rate, budget }: Standing): void {
  const { apiKey } = principal;
  header.set('x-service-api-key-id', apiKey.id);
  const limit = String(apiKey.rateLimitPerHour);
  header.set('x-ratelimit-limit', limit);
  header.set('x-ratelimit-remaining', String(Math.max(0, apiKey.rateLimitPerHour - rate.used)));
  header.set('x-ratelimit-reset', String(Math.ceil(rate.resetAtMs / 1000)));
  header.set('x-service-rate-limit', limit);
  header.set('x-service-rate-used', String(rate.used));
  if (apiKey.tokenBudget !== null) header.set('x-service-budget-limit', String(apiKey.tokenBudget));
  if (budget !== undefined) header.set(budgetUsed, String(budget.key.used));
}

/** Adds what a call has used since to what the key had used when the call was let in. */
export function addBudgetUsed(header: Headers, tokens: number): void {
  const before = header.get(budgetUsed);
  if (before !== null) header.set(budgetUsed, String(Number(before) + tokens));
}
