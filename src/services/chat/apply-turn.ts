import type { Turn } from '../../domain/turn.ts';
import { settleBill } from './bill.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

export type ApplyDependencies = Pick<TurnDependencies, 'store' | 'clock'>;

/** Returns the token with which the runner of a turn holds its conversation. */
export function lockToken(turn: Pick<Turn, 'id' | 'fence'>): string {
  return `${turn.id}:${turn.fence}`;
}

/** Does what follows from a committed turn. Each part has its effect once, however often this is done. */
export async function applyTurn({ store, clock }: ApplyDependencies, turn: Turn): Promise<void> {
  const { conversation, entry, committedAtMs } = turn;
  const noted =
    conversation === null || entry === null
      ? undefined
      : store.conversations.noteTurn(conversation, {
          position: entry.position,
          updatedAtMs: committedAtMs ?? conversation.updatedAtMs,
          lockToken: lockToken(turn),
        });
  await Promise.all([settleBill({ ...store, clock }, turn), noted]);
}
