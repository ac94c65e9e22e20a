import type { Principal } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Scope } from '../../domain/scopes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounter, RateVerdict } from '../../ports/counters.ts';
import type { LedgerState } from '../../ports/ledger.ts';
import type { Store } from '../../ports/store.ts';
import { createAddressThrottle } from './address-throttle.ts';
import { authenticate } from './authenticate.ts';
import { checkBudget, readBudget } from './budget.ts';
import { checkEntitlement } from './entitlement.ts';
import { countCall, peekRate } from './hourly-limit.ts';

export interface AdmissionDependencies {
  readonly store: Pick<Store, 'apiKeys' | 'ledger'>;
  /** Counts the calls of each key. */
  readonly rateCounter: RateCounter;
  /** Counts requests and refused authentications of each client address. */
  readonly addressCounter: RateCounter;
  readonly clock: Clock;
  readonly addressLimits: {
    readonly requestsPerMinute: number;
    readonly authFailuresPerMinute: number;
  };
  /** Told of failures that do not concern the caller, such as a use of a key that could not be noted. */
  readonly report: (message: string, cause: unknown) => void;
}

export interface AdmissionRequest {
  readonly authorization: string | null;
  /** The client's address after trusted proxies. */
  readonly address: string;
  /** Undefined: any key may call. */
  readonly scope: Scope | undefined;
}

/** What is known about an authenticated caller; the source of the headers of every answer to it. */
export interface Standing {
  readonly principal: Principal;
  readonly rate: RateVerdict | undefined;
  readonly budget: LedgerState | undefined;
}

/** Either the caller may go on, or `refusal` says why not. `standing` is there as soon as the key is known. */
export interface Verdict {
  readonly standing: Standing | undefined;
  readonly refusal: ServiceError | undefined;
}

export interface Admission {
  /**
   * Counts a request of an address, before its route or key are looked at.
   *
   * @throws `ip_rate_limit_exceeded`
   */
  throttle(address: string): Promise<void>;
  /**
   * Holds a call of /v1 against key, entitlement, hourly limit, budget and scope, in this order. The call is counted
   * once the entitlement stands.
   */
  admit(request: AdmissionRequest): Promise<Verdict>;
}

export function createAdmission(deps: AdmissionDependencies): Admission {
  const addresses = createAddressThrottle(deps.addressCounter, deps.addressLimits, deps.clock);
  return {
    throttle: addresses.throttle,
    async admit(request) {
      let principal: Principal;
      try {
        principal = await authenticate(deps, request.authorization);
      } catch (error) {
        const refusal = asRefusal(error);
        if (refusal.slug === 'invalid_token' || refusal.slug === 'missing_token') {
          await addresses.noteAuthFailure(request.address);
        }
        return { standing: undefined, refusal };
      }
      return examine(deps, principal, request.scope);
    },
  };
}

async function examine(
  deps: AdmissionDependencies,
  principal: Principal,
  scope: Scope | undefined,
): Promise<Verdict> {
  let rate: RateVerdict | undefined;
  let budget: LedgerState | undefined;
  try {
    checkEntitlement(principal);
    rate = await countCall(deps, principal.apiKey);
    budget = await readBudget(deps, principal);
    checkBudget(principal, budget);
    checkScope(principal, scope);
    noteUse(deps, principal);
    return { standing: { principal, rate, budget }, refusal: undefined };
  } catch (error) {
    const refusal = asRefusal(error);
    rate ??= await peekRate(deps, principal.apiKey).catch(() => undefined);
    budget ??= await readBudget(deps, principal).catch(() => undefined);
    return { standing: { principal, rate, budget }, refusal };
  }
}

function checkScope({ apiKey }: Principal, scope: Scope | undefined): void {
  if (scope === undefined || apiKey.scopes.includes(scope)) return;
  throw new ServiceError('insufficient_scope', {
    detail: `This endpoint needs the scope ${scope}.`,
    extra: { required_scope: scope, granted_scopes: apiKey.scopes },
  });
}

function noteUse(deps: AdmissionDependencies, { apiKey }: Principal): void {
  const now = deps.clock.now();
  if (apiKey.lastUsedAtMs !== null && now - apiKey.lastUsedAtMs < 60_000) return;
  deps.store.apiKeys
    .touch(apiKey.id, now)
    .catch((cause: unknown) => deps.report('use of a key not noted', cause));
}

function asRefusal(error: unknown): ServiceError {
  return error instanceof ServiceError
    ? error
    : new ServiceError('entitlement_check_failed', { cause: error });
}
