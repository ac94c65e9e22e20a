import type { Run } from '../domain/run.ts';

/** Is told what becomes of runs, for figures and traces. Nothing that it does fails or is waited for. */
export interface RunObserver {
  /** What sets a run off now, as a W3C traceparent; null when that is not traced. */
  cause(): string | null;
  /** Does an attempt at a run. */
  attempt<T>(run: Run, work: () => Promise<T>): Promise<T>;
  /** A run has reached its end. */
  ended(run: Run): void;
}
