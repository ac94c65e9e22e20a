/** Why a run's turn is stopped from outside. */
export type StopReason = 'cancelled' | 'timed_out' | 'drained' | 'lost';

/** One reason to stop, the first that is given. */
export interface RunStop {
  readonly signal: AbortSignal;
  readonly reason: StopReason | undefined;
  stop(reason: StopReason): void;
}

export function createRunStop(): RunStop {
  const controller = new AbortController();
  let first: StopReason | undefined;
  return {
    signal: controller.signal,
    get reason() {
      return first;
    },
    stop(reason) {
      if (first !== undefined) return;
      first = reason;
      controller.abort(new Error(`the run is stopped: ${reason}`));
    },
  };
}
