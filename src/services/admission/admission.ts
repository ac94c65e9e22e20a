import type { Principal } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Scope } from '../../domain/scopes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounter, RateVerdict } from '../../ports/counters.ts';
import type { LedgerState } from '../../ports/ledger.ts';
import type { Store } from '../../ports/store.ts';
import { type AddressThrottle, createAddressThrottle } from './address-throttle.ts';
import { authenticate } from './authenticate.ts';
import { checkBudget, readBudget } from './budget.ts';
import { entitlementRefusal } from './entitlement.ts';
import { assertCounted, hourlyStep } from './hourly-limit.ts';

export interface AdmissionDependencies {
  readonly store: Pick<Store, 'apiKeys' | 'ledger'>;
  /** Counts the calls of each key, and requests and refused authentications of each client address. */
  readonly rateCounter: RateCounter;
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
  readonly rate: RateVerdict;
  /** Undefined when it could not be read. */
  readonly budget: LedgerState | undefined;
}

/** Either the caller may go on, or `refusal` says why not. `standing` is there as soon as the key is known. */
export interface Verdict {
  readonly standing: Standing | undefined;
  readonly refusal: ServiceError | undefined;
}

export interface Admission {
  /**
   * Counts a request of an address that `admit` is not asked about.
   *
   * @throws `ip_rate_limit_exceeded`; `entitlement_check_failed` when the counter cannot be reached
   */
  throttle(address: string): Promise<void>;
  /**
   * Holds a call of /v1 against address, key, entitlement, hourly limit, budget and scope, in this order. The address's
   * request is counted whatever comes of it, and the key's call once the entitlement stands, both in one round trip.
   */
  admit(request: AdmissionRequest): Promise<Verdict>;
}

export function createAdmission(deps: AdmissionDependencies): Admission {
  const addresses = createAddressThrottle(deps.rateCounter, deps.addressLimits, deps.clock);

  async function refuseUnknown(address: string, refusal: ServiceError): Promise<never> {
    const isBadKey = refusal.slug === 'invalid_token' || refusal.slug === 'missing_token';
    await (isBadKey ? addresses.countAuthFailure(address) : addresses.count(address));
    throw refusal;
  }

  return {
    throttle: addresses.count,
    async admit(request) {
      const { address, authorization, scope } = request;
      try {
        addresses.assertFree(address);
        const principal = await authenticate(deps, authorization).catch((error: unknown) =>
          refuseUnknown(address, asRefusal(error)),
        );
        return await examine(deps, addresses, { address, principal, scope });
      } catch (error) {
        return { standing: undefined, refusal: asRefusal(error) };
      }
    },
  };
}

interface KnownCaller {
  readonly address: string;
  readonly principal: Principal;
  readonly scope: Scope | undefined;
}

/** @throws what the address throttle refuses: nothing is told of the key then */
async function examine(
  deps: AdmissionDependencies,
  addresses: AddressThrottle,
  { address, principal, scope }: KnownCaller,
): Promise<Verdict> {
  const { apiKey } = principal;
  const unentitled = entitlementRefusal(principal);
  // Read beside the counter, whose answer may end the call before anybody asks what became of this.
  const reading = readBudget(deps, principal);
  reading.catch(() => undefined);
  const step = hourlyStep(apiKey, unentitled === undefined ? 'hit' : 'peek');
  const rate = await addresses.countWith(address, step);
  let budget: LedgerState | undefined;
  try {
    if (unentitled !== undefined) throw unentitled;
    assertCounted(apiKey, rate, deps.clock.now());
    budget = await reading;
    checkBudget(principal, budget);
    checkScope(principal, scope);
    noteUse(deps, principal);
    return { standing: { principal, rate, budget }, refusal: undefined };
  } catch (error) {
    budget ??= await reading.catch(() => undefined);
    return { standing: { principal, rate, budget }, refusal: asRefusal(error) };
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
