const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Longest delay of a timer; a longer deadline is as good as none. */
const timerMaxMs = 2 ** 31 - 1;

/**
 * Reads a grpc-timeout header (grpc/doc/PROTOCOL-HTTP2.md, Timeout) in milliseconds; undefined when there is none, or
 * one that no timer can hold.
 */
export function parseGrpcTimeout(text: string | undefined): number | undefined {
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(text ?? '') ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const ms = Number(digits) * (unitMs[unit] as number);
  return ms > timerMaxMs ? undefined : ms;
}
