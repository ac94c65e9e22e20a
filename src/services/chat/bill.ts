import { cycleStartMs } from '../../domain/budget-cycle.ts';
import type { TurnPrincipal } from '../../domain/chat.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { UsageLimit } from '../../domain/organization.ts';
import { type Charge, holdAmount, type Turn, type UsageHold } from '../../domain/turn.ts';
import { secondsToWindowEnd, usageAccount } from '../../domain/usage-window.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { UsageResult, UsageWindows } from '../../ports/usage-windows.ts';

export interface BillDependencies {
  readonly ledger: Ledger;
  readonly usageWindows: UsageWindows;
  readonly clock: Clock;
}

/** Reserves what a turn may cost before each round, and keeps account of what it did cost. */
export interface Bill {
  readonly charges: readonly Charge[];
  /**
   * Takes the turn's places and reserves its first round, all or nothing.
   *
   * @throws `usage_limit_exceeded`, `budget_exhausted`, `budget_check_failed`
   */
  open(round: number, tokens: number): Promise<void>;
  /**
   * Settles the round before and reserves the next.
   *
   * @throws `budget_exhausted`, `budget_check_failed`
   */
  reserve(round: number, tokens: number): Promise<void>;
  charge(round: number, tokens: number): void;
  /** Extends the leases of what is in flight. */
  renew(): Promise<void>;
  /** Charges nothing for what is reserved and was not used. */
  close(): void;
}

/** Returns the places that a runner of a turn takes in the usage windows of its actor and organization. */
export function usageHolds(
  principal: TurnPrincipal,
  turn: Pick<Turn, 'id' | 'fence'>,
  nowMs: number,
): readonly UsageHold[] {
  return usageLimits(principal).map(({ subject, limit }) => ({
    id: `${turn.id}:${turn.fence}:${subject}`,
    fence: turn.fence,
    account: usageAccount(subject, limit, nowMs),
  }));
}

function usageLimits({ actor, organization }: TurnPrincipal) {
  return [
    { subject: `actor:${actor.id}`, limit: actor.usageLimit },
    { subject: `organization:${organization.id}`, limit: organization.usagePool },
  ].flatMap(({ subject, limit }) => (limit === null ? [] : [{ subject, limit }]));
}

/** @param turn Its holds are those of `usageHolds` for the same principal and fence, after those of former runners. */
export function createBill(
  deps: BillDependencies,
  principal: TurnPrincipal,
  turn: Pick<Turn, 'id' | 'fence' | 'charges' | 'holds'>,
): Bill {
  const { apiKey, organization } = principal;
  const places = usageLimits(principal).flatMap(({ subject, limit }) =>
    turn.holds
      .filter(({ fence, account }) => fence === turn.fence && account.subject === subject)
      .map((hold) => ({ hold, limit })),
  );
  const charges: Charge[] = [...turn.charges];
  let inFlight: { readonly id: string; readonly cycleStartMs: number } | undefined;

  function leaseEndsAtMs(): number {
    return deps.clock.now() + limits.chat.reservationLeaseMs;
  }

  function account(cycleStart: number) {
    return {
      organizationId: organization.id,
      apiKeyId: apiKey.id,
      cycleStartMs: cycleStart,
      nowMs: deps.clock.now(),
    };
  }

  async function reserveTokens(round: number, tokens: number): Promise<void> {
    const reservationId = `${turn.id}:${turn.fence}:${round}`;
    const cycle = cycleStartMs(deps.clock.now(), organization.poolResetDay);
    const result = await orUnavailable(
      deps.ledger.reserve({
        ...account(cycle),
        reservationId,
        tokens,
        leaseEndsAtMs: leaseEndsAtMs(),
        keyLimit: apiKey.tokenBudget,
        poolLimit: organization.tokenPool,
      }),
    );
    if (result.ok) {
      inFlight = { id: reservationId, cycleStartMs: cycle };
      return;
    }
    const { exhausted, used, inFlight: in_flight, limit } = result;
    throw new ServiceError('budget_exhausted', {
      detail:
        exhausted === 'key'
          ? "The key's token budget does not cover this request."
          : "The organization's token pool does not cover this request.",
      extra: { used, in_flight, limit },
    });
  }

  async function takePlace(hold: UsageHold, limit: UsageLimit, tokens: number): Promise<void> {
    const amount = limit.unit === 'requests' ? 1 : tokens;
    const nowMs = deps.clock.now();
    const result: UsageResult = await orUnavailable(
      deps.usageWindows.reserve({ hold, amount, limit: limit.limit, leaseEndsAtMs: leaseEndsAtMs(), nowMs }),
    );
    if (result.ok) return;
    throw new ServiceError('usage_limit_exceeded', {
      detail: `At most ${limit.limit} ${limit.unit} a ${limit.window}.`,
      extra: { unit: limit.unit, used: result.used, limit: limit.limit },
      retryAfterSeconds: secondsToWindowEnd(limit.window, hold.account.startMs, nowMs),
    });
  }

  return {
    charges,

    async open(round, tokens) {
      const outcomes = await Promise.allSettled([
        ...places.map(({ hold, limit }) => takePlace(hold, limit, tokens)),
        reserveTokens(round, tokens),
      ]);
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure === undefined) return;
      const taken = places.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      // What cannot be given back now ends with its lease.
      await Promise.allSettled([
        ...taken.map(({ hold }) => deps.usageWindows.settle(hold, 0)),
        ...(inFlight === undefined
          ? []
          : [deps.ledger.settle(account(inFlight.cycleStartMs), inFlight.id, 0)]),
      ]);
      inFlight = undefined;
      throw failure.reason;
    },

    async reserve(round, tokens) {
      const last = charges.at(-1);
      if (last !== undefined && last.fence === turn.fence) {
        await orUnavailable(deps.ledger.settle(account(last.cycleStartMs), last.reservationId, last.tokens));
      }
      await reserveTokens(round, tokens);
    },

    charge(round, tokens) {
      if (inFlight?.id !== `${turn.id}:${turn.fence}:${round}`) return;
      const { id: reservationId, cycleStartMs: cycle } = inFlight;
      charges.push({ reservationId, fence: turn.fence, cycleStartMs: cycle, tokens });
      inFlight = undefined;
    },

    async renew() {
      const reserved = inFlight;
      await Promise.all([
        reserved && deps.ledger.renew(account(reserved.cycleStartMs), reserved.id, leaseEndsAtMs()),
        ...places.map(({ hold }) => deps.usageWindows.renew(hold, leaseEndsAtMs(), deps.clock.now())),
      ]);
    },

    close() {
      if (inFlight === undefined) return;
      const { id: reservationId, cycleStartMs: cycle } = inFlight;
      charges.push({ reservationId, fence: turn.fence, cycleStartMs: cycle, tokens: 0 });
      inFlight = undefined;
    },
  };
}

/** What a turn's bill consists of, whoever settles it. */
export type SettledTurn = Pick<Turn, 'organizationId' | 'accountId' | 'charges' | 'holds'>;

/** Settles every charge and hold of a turn. Each counts once, however often this is done. */
export async function settleBill(deps: BillDependencies, turn: SettledTurn): Promise<void> {
  const nowMs = deps.clock.now();
  const { organizationId, accountId: apiKeyId } = turn;
  await Promise.all([
    ...turn.charges.map(({ reservationId, cycleStartMs: cycle, tokens }) =>
      deps.ledger.settle({ organizationId, apiKeyId, cycleStartMs: cycle, nowMs }, reservationId, tokens),
    ),
    ...turn.holds.map((hold) => deps.usageWindows.settle(hold, holdAmount(turn.charges, hold))),
  ]);
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new ServiceError('budget_check_failed', { cause });
  }
}
