import { describe, expect, test } from 'vitest';
import type { Ledger, LedgerAccount, ReservationRequest } from '../../src/ports/ledger.ts';
import { type StorePlace, withStores } from './store-contract.ts';
import { runStoreProcess } from './store-process.ts';

const nowMs = Date.UTC(2026, 5, 15);
const account: LedgerAccount = {
  organizationId: 'organization-1',
  apiKeyId: 'key-1',
  cycleStartMs: Date.UTC(2026, 5, 1),
  nowMs,
};

function request(fields: Partial<ReservationRequest> & { reservationId: string }): ReservationRequest {
  return {
    ...account,
    tokens: 10,
    leaseEndsAtMs: nowMs + 60_000,
    keyLimit: null,
    poolLimit: null,
    ...fields,
  };
}

/** Every invariant of `ports/ledger.ts`, for the ledger of any store. */
export function describeLedgerContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name} keeps budgets`, () => {
    withStores(createPlace, ({ open, place }) => {
      const openLedger = async (): Promise<Ledger> => (await open()).ledger;

      test('a cycle that nobody used is empty', async () => {
        const ledger = await openLedger();
        const nothing = { used: 0, inFlight: 0 };
        expect(await ledger.read(account)).toEqual({ key: nothing, pool: nothing });
      });

      test('a reservation is in flight on key and pool, and its settlement is used there', async () => {
        const ledger = await openLedger();
        const other = { ...account, apiKeyId: 'key-2' };
        expect(await ledger.reserve(request({ reservationId: 'a', tokens: 10 }))).toEqual({ ok: true });
        expect(await ledger.reserve({ ...request({ reservationId: 'b', tokens: 5 }), ...other })).toEqual({
          ok: true,
        });
        expect(await ledger.read(account)).toEqual({
          key: { used: 0, inFlight: 10 },
          pool: { used: 0, inFlight: 15 },
        });
        expect(await ledger.settle(account, 'a', 7)).toBe(true);
        expect(await ledger.read(account)).toEqual({
          key: { used: 7, inFlight: 0 },
          pool: { used: 7, inFlight: 5 },
        });
        expect(await ledger.read(other)).toEqual({
          key: { used: 0, inFlight: 5 },
          pool: { used: 7, inFlight: 5 },
        });
      });

      test('a reservation fits to the last token and not one further', async () => {
        const ledger = await openLedger();
        const limits = { keyLimit: 20, poolLimit: null };
        await ledger.reserve(request({ reservationId: 'a', tokens: 12, ...limits }));
        await ledger.settle(account, 'a', 11);
        expect(await ledger.reserve(request({ reservationId: 'b', tokens: 10, ...limits }))).toEqual({
          ok: false,
          exhausted: 'key',
          used: 11,
          inFlight: 0,
          limit: 20,
        });
        expect(await ledger.reserve(request({ reservationId: 'c', tokens: 9, ...limits }))).toEqual({
          ok: true,
        });
      });

      test('a reservation takes from key and pool in one step, or from neither', async () => {
        const ledger = await openLedger();
        const limits = { keyLimit: 100, poolLimit: 15 };
        await ledger.reserve(request({ reservationId: 'a', tokens: 10, ...limits }));
        expect(await ledger.reserve(request({ reservationId: 'b', tokens: 6, ...limits }))).toEqual({
          ok: false,
          exhausted: 'pool',
          used: 0,
          inFlight: 10,
          limit: 15,
        });
        expect(await ledger.read(account)).toEqual({
          key: { used: 0, inFlight: 10 },
          pool: { used: 0, inFlight: 10 },
        });
        expect(await ledger.settle(account, 'b', 6)).toBe(false);
      });

      test('of 50 parallel reservations for 10 places exactly 10 succeed', async () => {
        const ledgers = [await openLedger(), await openLedger()] as const;
        const attempts = Array.from({ length: 50 }, (_, index) =>
          ledgers[index % 2 === 0 ? 0 : 1].reserve(
            request({ reservationId: `r${index}`, tokens: 10, keyLimit: 500, poolLimit: 100 }),
          ),
        );
        const results = await Promise.all(attempts);
        expect(results.filter(({ ok }) => ok)).toHaveLength(10);
        expect((await ledgers[1].read(account)).pool).toEqual({ used: 0, inFlight: 100 });
      });

      test('of 50 reservations by two processes for 10 places exactly 10 succeed', async () => {
        const answers = await Promise.all([
          runStoreProcess(place(), 'reserve', 'left'),
          runStoreProcess(place(), 'reserve', 'right'),
        ]);
        expect(answers.flat()).toHaveLength(50);
        expect(answers.flat().filter((answer) => answer === 'reserved')).toHaveLength(10);
      });

      test('a reservation is settled at most once, however many try', async () => {
        const ledgers = [await openLedger(), await openLedger()] as const;
        await ledgers[0].reserve(request({ reservationId: 'a' }));
        const attempts = Array.from({ length: 20 }, (_, index) =>
          ledgers[index % 2 === 0 ? 0 : 1].settle(account, 'a', 3),
        );
        expect((await Promise.all(attempts)).filter((settled) => settled)).toHaveLength(1);
        expect((await ledgers[0].read(account)).key).toEqual({ used: 3, inFlight: 0 });
      });

      test('settling with nothing used gives everything back', async () => {
        const ledger = await openLedger();
        await ledger.reserve(request({ reservationId: 'a' }));
        expect(await ledger.settle(account, 'a', 0)).toBe(true);
        expect((await ledger.read(account)).pool).toEqual({ used: 0, inFlight: 0 });
      });

      test('a settlement may be over what was reserved, and over the limit', async () => {
        const ledger = await openLedger();
        await ledger.reserve(request({ reservationId: 'a', tokens: 10, keyLimit: 10 }));
        expect(await ledger.settle(account, 'a', 25)).toBe(true);
        expect((await ledger.read(account)).key.used).toBe(25);
      });

      test('a reservation is settled into the cycle in which it was made', async () => {
        const ledger = await openLedger();
        await ledger.reserve(request({ reservationId: 'a' }));
        const next = { ...account, cycleStartMs: Date.UTC(2026, 6, 1), nowMs: Date.UTC(2026, 6, 1) + 5 };
        expect(await ledger.settle(next, 'a', 4)).toBe(false);
        expect(await ledger.settle({ ...account, nowMs: next.nowMs }, 'a', 4)).toBe(true);
        expect((await ledger.read(account)).key.used).toBe(4);
        expect((await ledger.read(next)).key.used).toBe(0);
      });

      test('a reservation whose lease has ended holds nothing', async () => {
        const ledger = await openLedger();
        await ledger.reserve(request({ reservationId: 'a', leaseEndsAtMs: nowMs + 100 }));
        const at = (ms: number) => ({ ...account, nowMs: nowMs + ms });
        expect((await ledger.read(at(99))).pool.inFlight).toBe(10);
        expect((await ledger.read(at(100))).pool.inFlight).toBe(0);
        const second = request({ reservationId: 'b', nowMs: nowMs + 100, keyLimit: 10, poolLimit: 10 });
        expect(await ledger.reserve({ ...second, leaseEndsAtMs: nowMs + 200 })).toEqual({ ok: true });
      });

      test('a reservation whose lease has ended can still be settled, once', async () => {
        const ledger = await openLedger();
        await ledger.reserve(request({ reservationId: 'a', leaseEndsAtMs: nowMs + 100 }));
        const late = { ...account, nowMs: nowMs + 3_600_000 };
        await ledger.reserve(
          request({ reservationId: 'b', nowMs: late.nowMs, leaseEndsAtMs: late.nowMs + 9 }),
        );
        expect(await ledger.settle(late, 'a', 8)).toBe(true);
        expect(await ledger.settle(late, 'a', 8)).toBe(false);
        expect((await ledger.read(late)).key).toEqual({ used: 8, inFlight: 10 });
      });

      test('a live lease can be renewed; one that ended, was settled or never was, cannot', async () => {
        const ledger = await openLedger();
        await ledger.reserve(request({ reservationId: 'a', leaseEndsAtMs: nowMs + 100 }));
        const at = (ms: number) => ({ ...account, nowMs: nowMs + ms });
        expect(await ledger.renew(at(99), 'a', nowMs + 200)).toBe(true);
        expect((await ledger.read(at(150))).key.inFlight).toBe(10);
        expect(await ledger.renew(at(200), 'a', nowMs + 300)).toBe(false);
        await ledger.reserve(request({ reservationId: 'b' }));
        await ledger.settle(account, 'b', 1);
        expect(await ledger.renew(account, 'b', nowMs + 300)).toBe(false);
        expect(await ledger.renew(account, 'none', nowMs + 300)).toBe(false);
      });

      test('organizations and cycles do not touch each other', async () => {
        const ledger = await openLedger();
        await ledger.reserve(request({ reservationId: 'a', poolLimit: 10 }));
        const elsewhere = { organizationId: 'organization-2' };
        expect(await ledger.reserve(request({ reservationId: 'a', poolLimit: 10, ...elsewhere }))).toEqual({
          ok: true,
        });
        const later = { cycleStartMs: Date.UTC(2026, 6, 1) };
        expect(await ledger.reserve(request({ reservationId: 'a', poolLimit: 10, ...later }))).toEqual({
          ok: true,
        });
      });

      test('a read sees what another open store wrote before it', async () => {
        const [ledger, other] = [await openLedger(), await openLedger()];
        for (let index = 1; index <= 10; index += 1) {
          await ledger.read(account);
          await other.reserve(request({ reservationId: `r${index}`, tokens: 1 }));
          expect((await ledger.read(account)).key.inFlight).toBe(index);
        }
      });

      test('settlements that were acknowledged survive SIGKILL, each counted once', async () => {
        const acknowledged = await runStoreProcess(place(), 'settle', '', 40);
        const ledger = await openLedger();
        const { key } = await ledger.read({ ...account, cycleStartMs: 0, nowMs: 1_500 });
        expect(key.used % 7).toBe(0);
        expect(key.used / 7).toBeGreaterThanOrEqual(acknowledged.length);
        expect(key.used / 7).toBeLessThanOrEqual(acknowledged.length + 1);
        expect([0, 9]).toContain(key.inFlight);
      });
    });
  });
}
