import { describe, expect, test } from 'vitest';
import type { UsageHold } from '../../src/domain/turn.ts';
import type { UsageReservation, UsageWindows } from '../../src/ports/usage-windows.ts';
import { type StorePlace, withStores } from './store-contract.ts';

const nowMs = Date.UTC(2026, 5, 15);
const account = { subject: 'actor:user-1', unit: 'tokens', window: 'day', startMs: nowMs } as const;

function aHold(id: string, fields: Partial<UsageHold['account']> = {}): UsageHold {
  return { id, fence: 1, account: { ...account, ...fields } };
}

function request(hold: UsageHold, fields: Partial<UsageReservation> = {}): UsageReservation {
  return { hold, amount: 1, limit: 10, leaseEndsAtMs: nowMs + 1_000, nowMs, ...fields };
}

/** Every invariant of `ports/usage-windows.ts`, for the windows of any store. */
export function describeUsageWindowsContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name} keeps usage windows`, () => {
    withStores(createPlace, ({ open }) => {
      const openWindows = async (): Promise<UsageWindows> => (await open()).usageWindows;

      test('of 50 that ask for 10 places at once 10 get one', async () => {
        const windows = await openWindows();
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, index) => windows.reserve(request(aHold(`hold-${index}`)))),
        );
        expect(results.filter(({ ok }) => ok)).toHaveLength(10);
        expect(results.filter(({ ok }) => !ok)[0]).toEqual({ ok: false, used: 10 });
      });

      test('a hold of any amount is given as long as the limit is not reached', async () => {
        const windows = await openWindows();
        expect(await windows.reserve(request(aHold('a'), { amount: 9 }))).toEqual({ ok: true });
        expect(await windows.reserve(request(aHold('b'), { amount: 500 }))).toEqual({ ok: true });
        expect(await windows.reserve(request(aHold('c')))).toEqual({ ok: false, used: 509 });
      });

      test('a settled hold counts what was used, once', async () => {
        const windows = await openWindows();
        await windows.reserve(request(aHold('a'), { amount: 9 }));
        expect(await windows.settle(aHold('a'), 4)).toBe(true);
        expect(await windows.settle(aHold('a'), 4)).toBe(false);
        expect(await windows.settle(aHold('never'), 4)).toBe(false);
        expect(await windows.read(account)).toBe(4);
      });

      test('a hold whose lease has ended counts no more, and can still be settled', async () => {
        const windows = await openWindows();
        await windows.reserve(request(aHold('a'), { amount: 10 }));
        expect(await windows.renew(aHold('a'), nowMs + 2_000, nowMs + 500)).toBe(true);
        expect(await windows.reserve(request(aHold('b'), { nowMs: nowMs + 1_999 }))).toMatchObject({
          ok: false,
        });
        expect(await windows.reserve(request(aHold('b'), { nowMs: nowMs + 2_000 }))).toEqual({ ok: true });
        expect(await windows.renew(aHold('a'), nowMs + 9_000, nowMs + 2_000)).toBe(false);
        expect(await windows.settle(aHold('a'), 3)).toBe(true);
        expect(await windows.read(account)).toBe(3);
      });

      test.for<readonly [string, Partial<UsageHold['account']>]>([
        ['subject', { subject: 'actor:user-2' }],
        ['unit', { unit: 'requests' }],
        ['kind of window', { window: 'hour' }],
        ['window', { startMs: nowMs + 86_400_000 }],
      ])('another %s is another account', async ([, fields]) => {
        const windows = await openWindows();
        await windows.reserve(request(aHold('a'), { amount: 10 }));
        await windows.settle(aHold('a'), 10);
        expect(await windows.reserve(request(aHold('b', fields)))).toEqual({ ok: true });
        expect(await windows.read(aHold('b', fields).account)).toBe(0);
      });
    });
  });
}
