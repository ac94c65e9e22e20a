import type { JobCounts } from './job-store.ts';

/**
 * Tells workers which runs to look at. What a run is, its record says; a job is nothing but its id and a time.
 *
 * Invariants:
 * - A run has at most one job. Adding one that waits makes it due at the earlier of the two times; adding one that is
 *   at work changes nothing.
 * - A job whose `add` resolved is handed to a handler at or after its time, and again until a handler says that it is
 *   done; it survives SIGKILL of every process.
 * - No two handlers of any processes have a job at once, as long as the one that has it lives and reaches the store.
 * - A job whose handler's process died is handed out again when its lease has ended.
 * - A handler that throws gets its job again later.
 */
export interface RunQueue {
  add(runId: string, notBeforeMs: number): Promise<void>;
  /** Starts to hand out jobs, at most `concurrency` at a time. */
  work(handler: JobHandler, concurrency: number): QueueWorker;
  /** How many jobs there are, of all processes, for figures. */
  count(): Promise<JobCounts>;
  /** Lets go of what the queue holds, after its workers have ended. */
  close(): Promise<void>;
}

/** @param signal aborts when the worker is to stop, or has lost the job to another. */
export type JobHandler = (runId: string, signal: AbortSignal) => Promise<JobOutcome>;

export type JobOutcome =
  | { readonly state: 'done' }
  /** The job is to be handed out again. */
  | { readonly state: 'later'; readonly notBeforeMs: number };

export interface QueueWorker {
  /**
   * Takes no more jobs and resolves when the handlers have returned. At the deadline they are aborted; a handler that
   * does not return then is left behind after a grace, its job to be recovered.
   */
  close(deadlineMs: number): Promise<void>;
}
