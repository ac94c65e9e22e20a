import { hash } from 'node:crypto';
import { limits } from '../../domain/limits.ts';
import { parseAddress } from '../../domain/network-address.ts';
import { sessionError } from '../../domain/session-errors.ts';
import type { RateWindow } from '../../ports/counters.ts';
import { secondsUntil } from '../admission/address-throttle.ts';
import { createInTurn } from './in-turn.ts';
import type { SessionDependencies } from './session-dependencies.ts';

const { failuresPerAccount, failuresPerAddress, failureWindowMs } = limits.session;

export interface SignInLimits {
  /**
   * Makes an attempt unless its account or its address failed too often, and counts it when it returns undefined.
   *
   * Attempts of one account, and those of one address, are made one after the other, so that of any number of parallel
   * ones no more fail than the limit says; shared by several processes, no more than it says of each process.
   *
   * @throws ApiError 429
   */
  attempt<T>(account: string, address: string, make: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Limits failed sign-ins. Successful ones are not counted, so that nobody is kept out by signing in often. */
export function createSignInLimits({
  failureCounter,
  clock,
}: Pick<SessionDependencies, 'failureCounter' | 'clock'>): SignInLimits {
  const inTurn = createInTurn();

  async function assertFree(key: string, window: RateWindow): Promise<void> {
    const now = clock.now();
    const { allowed, resetAtMs } = await failureCounter.peek(key, window, now);
    if (allowed) return;
    const retryAfterSeconds = secondsUntil(resetAtMs, now);
    throw sessionError('TOO_MANY_SIGN_INS', {
      hint: `. Try again in ${retryAfterSeconds} s`,
      retryAfterSeconds,
    });
  }

  return {
    attempt(account, address, make) {
      const byAccount = `sign-in:account:${hash('sha256', account)}`;
      const byAddress = `sign-in:address:${sourceOf(address)}`;
      return inTurn(byAddress, () =>
        inTurn(byAccount, async () => {
          await assertFree(byAddress, perAddress);
          await assertFree(byAccount, perAccount);
          const result = await make();
          if (result !== undefined) return result;
          await failureCounter.hit(byAddress, perAddress, clock.now());
          await failureCounter.hit(byAccount, perAccount, clock.now());
          return undefined;
        }),
      );
    },
  };
}

const perAccount = { limit: failuresPerAccount, windowMs: failureWindowMs };
const perAddress = { limit: failuresPerAddress, windowMs: failureWindowMs };

/** One customer of a provider has a whole /64 of IPv6 (RFC 6177): that is one source. */
function sourceOf(address: string): string {
  const bytes = parseAddress(address);
  return bytes?.length === 16 ? `${Buffer.from(bytes.slice(0, 8)).toString('hex')}::/64` : address;
}
