import type { Clock } from '../ports/clock.ts';

/** Between two reports of the same failure. */
const pauseMs = 60_000;

type Report = (message: string, cause: unknown) => void;

/** Returns a report that tells the same failure once a minute, however often it comes in between. */
export function reportSparingly(report: Report, clock: Clock): Report {
  const toldAtMs = new Map<string, number>();
  return (message, cause) => {
    const now = clock.now();
    for (const [told, atMs] of toldAtMs) if (now - atMs >= pauseMs) toldAtMs.delete(told);
    const failure = `${message}: ${cause instanceof Error ? cause.message : String(cause)}`;
    if (toldAtMs.has(failure)) return;
    toldAtMs.set(failure, now);
    report(message, cause);
  };
}
