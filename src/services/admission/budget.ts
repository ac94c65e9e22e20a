import type { Principal } from '../../domain/api-key.ts';
import { cycleStartMs } from '../../domain/budget-cycle.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Balance, LedgerAccount, LedgerState } from '../../ports/ledger.ts';
import type { Store } from '../../ports/store.ts';

/** Returns the account in the ledger that a caller's tokens go to now. */
export function accountOf({ apiKey, organization }: Principal, nowMs: number): LedgerAccount {
  return {
    organizationId: organization.id,
    apiKeyId: apiKey.id,
    cycleStartMs: cycleStartMs(nowMs, organization.poolResetDay),
    nowMs,
  };
}

/** @throws `budget_check_failed` when the ledger cannot be read */
export async function readBudget(
  deps: { readonly store: Pick<Store, 'ledger'>; readonly clock: Clock },
  principal: Principal,
): Promise<LedgerState> {
  try {
    return await deps.store.ledger.read(accountOf(principal, deps.clock.now()));
  } catch (cause) {
    throw new ServiceError('budget_check_failed', { cause });
  }
}

/**
 * Holds the key's budget and the organization's pool against what is used and in flight.
 *
 * @throws `budget_exhausted`
 */
export function checkBudget({ apiKey, organization }: Principal, state: LedgerState): void {
  assertLeft(state.key, apiKey.tokenBudget, 'The token budget of the key is used up.');
  assertLeft(state.pool, organization.tokenPool, 'The token pool of the organization is used up.');
}

function assertLeft(balance: Balance, limit: number | null, detail: string): void {
  if (limit === null || balance.used + balance.inFlight < limit) return;
  throw new ServiceError('budget_exhausted', {
    detail,
    extra: { used: balance.used, in_flight: balance.inFlight, limit },
  });
}
