import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';

test('a reservation that nobody settled is forgotten a day after its lease', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  const account = { organizationId: 'o', apiKeyId: 'k', cycleStartMs: 0, nowMs: 0 };
  const reserve = (reservationId: string, nowMs: number) =>
    store.ledger.reserve({
      ...account,
      nowMs,
      reservationId,
      tokens: 5,
      leaseEndsAtMs: nowMs + 100,
      keyLimit: null,
      poolLimit: null,
    });
  await reserve('a', 0);
  await reserve('b', 1);
  await reserve('c', 100 + 86_400_000);
  expect(await store.ledger.settle(account, 'a', 5)).toBe(false);
  expect(await store.ledger.settle(account, 'b', 5)).toBe(true);
  expect((await store.ledger.read({ ...account, nowMs: 86_400_150 })).pool).toEqual({ used: 5, inFlight: 5 });
  await store.close();
});
