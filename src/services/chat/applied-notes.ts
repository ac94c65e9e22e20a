import type { TurnStore } from '../../ports/turn-store.ts';

/** Notes which turns are applied, many at a time: nobody waits for it, and doing a turn's part again does no harm. */
export interface AppliedNotes {
  add(turnId: string): void;
  /** Writes what has gathered. */
  flush(): Promise<void>;
}

export function createAppliedNotes(options: {
  readonly turns: TurnStore;
  readonly delayMs: number;
  readonly report: (message: string, cause: unknown) => void;
}): AppliedNotes {
  const { turns, delayMs, report } = options;
  let gathered: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const ids = gathered;
    gathered = [];
    if (ids.length === 0) return;
    await turns.markApplied(ids).catch((cause) => report('turns not noted as applied', cause));
  }

  return {
    add(turnId) {
      gathered.push(turnId);
      timer ??= setTimeout(flush, delayMs).unref();
    },
    flush,
  };
}
