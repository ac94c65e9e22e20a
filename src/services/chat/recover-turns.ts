import type { Turn } from '../../domain/turn.ts';
import type { TurnStore } from '../../ports/turn-store.ts';
import { type ApplyDependencies, applyTurn, lockToken } from './apply-turn.ts';
import { settleBill } from './bill.ts';

export interface RecoveryDependencies extends ApplyDependencies {
  readonly report: (message: string, cause: unknown) => void;
}

/** How much was put right. */
export interface Recovered {
  readonly applied: number;
  readonly freed: number;
  readonly expired: number;
}

/** How long a turn may take from its commit to everything that follows, and be late with its lease, milliseconds. */
const graceMs = 30_000;

const batchSize = 100;

/**
 * Finishes what dead processes left behind: applies committed turns, settles and frees turns whose runner died, and
 * forgets claims that have expired. Any number of processes may do this at once.
 *
 * @param grace How long running processes are given before their turns are looked at; 0 when there are none.
 */
export async function recoverTurns(deps: RecoveryDependencies, grace = graceMs): Promise<Recovered> {
  const { turns } = deps.store;
  const nowMs = deps.clock.now();
  const applied = await sweep(deps, { state: 'unapplied', beforeMs: nowMs - grace }, async (turn) => {
    await applyTurn(deps, turn);
    await turns.markApplied([turn.id]);
  });
  const freed = await sweep(deps, { state: 'dead', beforeMs: nowMs - grace }, (turn) =>
    recoverDeadTurn(deps, turn),
  );
  const expired = await sweep(deps, { state: 'expired', beforeMs: nowMs }, (turn) =>
    turn.status === 'committed' ? turns.forgetClaim(turn.id) : turns.abandon(turn.id, turn.fence),
  );
  return { applied, freed, expired };
}

/**
 * Settles a turn whose runner died and frees its conversation. Its record goes, unless a tool has changed something
 * and a repeat may come: then it stays, so that the repeat does not change it again.
 */
export async function recoverDeadTurn(deps: ApplyDependencies, turn: Turn): Promise<void> {
  const { turns, conversations } = deps.store;
  await settleBill({ ...deps.store, clock: deps.clock }, turn);
  if (turn.conversation !== null) await conversations.unlock(turn.conversation.id, lockToken(turn));
  if (turn.claim !== null && hasWritten(turn)) await turns.markApplied([turn.id]);
  else await turns.abandon(turn.id, turn.fence);
}

export function hasWritten(turn: Pick<Turn, 'rounds'>): boolean {
  return turn.rounds.some(({ calls }) => calls.some(({ writes }) => writes));
}

async function sweep(
  deps: RecoveryDependencies,
  query: Omit<Parameters<TurnStore['listUnfinished']>[0], 'limit'>,
  finish: (turn: Turn) => Promise<void>,
): Promise<number> {
  let count = 0;
  const failed = new Set<string>();
  for (;;) {
    const batch = await deps.store.turns.listUnfinished({ ...query, limit: batchSize + failed.size });
    const turns = batch.filter(({ id }) => !failed.has(id));
    if (turns.length === 0) return count;
    for (const turn of turns) {
      try {
        await finish(turn);
        count += 1;
      } catch (cause) {
        failed.add(turn.id);
        deps.report(`turn ${turn.id} could not be recovered`, cause);
      }
    }
  }
}
