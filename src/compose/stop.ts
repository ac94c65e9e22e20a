/** At the end, for what was aborted to leave things in order and for connections to be let go. */
const closingMs = 2_000;
/** What stopping may take when no time is given to calls. */
const leastMs = 1_000;

/** The time that stopping has, shared by all of its steps. */
export interface StopDeadline {
  /** Milliseconds that calls and runs still have. */
  leftMs(): number;
}

/**
 * Stops within `totalMs`: calls and runs get all but the last quarter of it, at most 2 s, which is for letting go.
 *
 * @throws Error when the steps took longer.
 */
export async function stopWithin(
  totalMs: number,
  steps: (deadline: StopDeadline) => Promise<void>,
): Promise<void> {
  const workEndsAt = performance.now() + totalMs - Math.min(closingMs, totalMs / 4);
  const limitMs = Math.max(totalMs, leastMs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`stopping took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([steps({ leftMs: () => Math.max(0, workEndsAt - performance.now()) }), late]);
  } finally {
    clearTimeout(timer);
  }
}
