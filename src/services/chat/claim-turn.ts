import type { ChatAnswer, TurnPrincipal } from '../../domain/chat.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Turn, TurnClaim } from '../../domain/turn.ts';
import { applyTurn } from './apply-turn.ts';
import { usageHolds } from './bill.ts';
import { recoverDeadTurn } from './recover-turns.ts';
import type { TurnDependencies } from './turn-dependencies.ts';

export type Claimed =
  /** The caller runs the turn. A turn that was run before carries its journal. */
  { readonly state: 'run'; readonly turn: Turn } | { readonly state: 'replay'; readonly answer: ChatAnswer };

/** How often a claim is tried again when the record that held the name goes away meanwhile. */
const attemptsMax = 5;

/**
 * Begins a turn under its idempotency key, goes on with one whose runner died, or finds the answer that it had.
 *
 * @throws `request_in_progress` while another runs it, `invalid_request` when the key was used with another body.
 */
export async function claimTurn(
  deps: TurnDependencies,
  turn: Turn & { readonly claim: TurnClaim },
  principal: TurnPrincipal,
): Promise<Claimed> {
  const { turns } = deps.store;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const holder = await turns.begin(turn);
    if (holder === undefined) return { state: 'run', turn };
    const nowMs = deps.clock.now();
    const isSameBody = holder.claim?.fingerprint === turn.claim.fingerprint;
    if (holder.status === 'committed') {
      const { answer } = holder;
      // Without an answer its caller had left.
      if (answer === null || holder.claim === null || holder.claim.expiresAtMs <= nowMs)
        await turns.forgetClaim(holder.id);
      else if (!isSameBody) throw otherBody();
      else return replay(deps, holder, answer);
    } else if (holder.leaseEndsAtMs > nowMs) {
      throw isSameBody ? new ServiceError('request_in_progress') : otherBody();
    } else if (isSameBody) {
      const fence = holder.fence + 1;
      const taken = await turns.takeOver(holder.id, holder.fence, {
        nowMs,
        leaseEndsAtMs: nowMs + limits.chat.idempotencyLeaseMs,
        holds: usageHolds(principal, { id: holder.id, fence }, nowMs),
      });
      if (taken !== undefined) return { state: 'run', turn: taken };
    } else {
      await recoverDeadTurn(deps, holder);
      await turns.abandon(holder.id, holder.fence);
    }
  }
  throw new ServiceError('request_in_progress');
}

async function replay(deps: TurnDependencies, holder: Turn, answer: ChatAnswer): Promise<Claimed> {
  // Its runner may have died between the commit and what follows from it, such as the conversation.
  if (!holder.applied) await applyTurn(deps, holder);
  return { state: 'replay', answer };
}

function otherBody(): ServiceError {
  return new ServiceError('invalid_request', {
    detail: 'This Idempotency-Key was used before with another request body.',
  });
}
