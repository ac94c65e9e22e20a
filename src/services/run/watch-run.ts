import { isFinal, type Run, type RunStep } from '../../domain/run.ts';
import type { RunStatus } from '../../domain/run-status.ts';
import type { RunStore } from '../../ports/run-store.ts';

/** What a watcher of a run is told, `done` last. */
export type RunWatchEvent =
  | { readonly type: 'state'; readonly status: RunStatus; readonly attempt: number }
  /** To append; a `state` with a new attempt starts the text anew. */
  | { readonly type: 'content'; readonly content: string }
  | ({ readonly type: 'step' } & RunStep)
  | { readonly type: 'done'; readonly run: Run };

/** Between two looks at the record, milliseconds. */
const pollMs = 400;

/**
 * Follows a run by its record, whichever process works on it: its present state first, then what is new, and its end.
 * Ends when the signal aborts.
 */
export async function* watchRun(
  runs: RunStore,
  first: Run,
  signal: AbortSignal,
): AsyncGenerator<RunWatchEvent> {
  let run = first;
  let told = { status: '', attempt: -1, chars: 0, steps: 0 };
  for (;;) {
    if (run.attempt !== told.attempt || run.status !== told.status) {
      const isAnew = run.attempt !== told.attempt;
      told = { ...told, status: run.status, attempt: run.attempt, ...(isAnew && { chars: 0, steps: 0 }) };
      yield { type: 'state', status: run.status, attempt: run.attempt };
    }
    for (const step of (run.progress?.steps ?? []).slice(told.steps)) {
      told.steps += 1;
      yield { type: 'step', ...step };
    }
    const content = (run.progress?.content ?? run.output ?? '').slice(told.chars);
    if (content !== '') {
      told.chars += content.length;
      yield { type: 'content', content };
    }
    if (isFinal(run)) {
      yield { type: 'done', run };
      return;
    }
    if (!(await pause(signal))) return;
    run = (await runs.get(run.id)) ?? run;
  }
}

/** Returns false when the signal has aborted. */
function pause(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve(true);
    }, pollMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}
