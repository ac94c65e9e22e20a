import type { ApiKey, Principal } from '../domain/api-key.ts';
import { cycleStartMs } from '../domain/budget-cycle.ts';
import type { Clock } from '../ports/clock.ts';

/** Where a key stands. */
export interface KeyHealth {
  readonly apiKey: ApiKey;
  readonly budget: {
    /** Tokens used this cycle. */
    readonly used: number;
    /** Null: no budget. */
    readonly limit: number | null;
    /** Limit minus used, at least 0; null: no budget. */
    readonly remaining: number | null;
    readonly cycleStartedAtMs: number;
  };
  /** Model ids that the key may use now, its default first. */
  readonly allowedModels: readonly string[];
  readonly timestampMs: number;
}

export interface KeyHealthService {
  /**
   * @param used tokens of this cycle, as admission has read them
   * @throws `policy_lookup_failed`
   */
  read(caller: Principal, used: number): Promise<KeyHealth>;
}

export function createKeyHealthService(deps: {
  readonly clock: Clock;
  /** The models that a caller may use now, its default first. */
  readonly effectiveModels: (caller: Principal) => Promise<readonly string[]>;
}): KeyHealthService {
  return {
    async read(caller, used) {
      const { apiKey, organization } = caller;
      const timestampMs = deps.clock.now();
      const limit = apiKey.tokenBudget;
      return {
        apiKey,
        budget: {
          used,
          limit,
          remaining: limit === null ? null : Math.max(0, limit - used),
          cycleStartedAtMs: cycleStartMs(timestampMs, organization.poolResetDay),
        },
        allowedModels: await deps.effectiveModels(caller),
        timestampMs,
      };
    },
  };
}
