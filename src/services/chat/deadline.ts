/** A signal with a time limit of its own. */
export interface Deadline {
  /** Aborts with the caller's signal, and when the time is over. */
  readonly signal: AbortSignal;
  /** Whether the time was over before the caller's signal aborted. */
  readonly isOver: boolean;
  /** Ends the watch. Must be called: until then the timer and the caller's signal hold it. */
  end(): void;
}

/**
 * Starts a deadline `ms` from now. Unlike those of `AbortSignal.timeout` and `AbortSignal.any`, nothing of it outlives
 * the work that it limits.
 */
export function startDeadline(caller: AbortSignal, ms: number): Deadline {
  const controller = new AbortController();
  let isOver = false;
  const follow = () => controller.abort(caller.reason);
  const timer = setTimeout(() => {
    isOver = !controller.signal.aborted;
    controller.abort(new DOMException('the time is over', 'TimeoutError'));
  }, ms);
  if (caller.aborted) follow();
  else caller.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    end() {
      clearTimeout(timer);
      caller.removeEventListener('abort', follow);
    },
  };
}
