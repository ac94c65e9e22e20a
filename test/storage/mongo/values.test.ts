import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import type { UsageReservation } from '../../../src/ports/usage-windows.ts';
import { openMongoStore } from '../../../src/storage/mongo/open-mongo-store.ts';
import { aRun } from '../../contract/agent-records.ts';
import { anAuditEvent } from '../../contract/records.ts';
import type { StorePlace } from '../../contract/store-contract.ts';
import { describeWithMongo } from '../../mongo-server.ts';
import { createMongoPlace } from './opener.ts';

const dayMs = 86_400_000;

/** What means something to the server when it is not kept apart from paths and operators. */
const hostileIds = ['a.b', '$x', '$$held.v.amount', '', '0', '%2E', 'é 🦊', '__proto__', 'constructor'];

describeWithMongo('values on MongoDB', (server) => {
  let place: StorePlace;
  let store: Store;

  beforeAll(async () => {
    place = await createMongoPlace(server());
    store = await openMongoStore({ url: place.location });
  });

  afterAll(async () => {
    await store.close();
    await place.remove();
  });

  test.for(hostileIds)('an id is an id in the ledger: %j', async (id) => {
    const account = { organizationId: `o ${id}`, apiKeyId: id, cycleStartMs: 0, nowMs: 5 };
    const request = {
      ...account,
      reservationId: id,
      tokens: 3,
      leaseEndsAtMs: 10,
      keyLimit: 4,
      poolLimit: 9,
    };
    expect(await store.ledger.reserve(request)).toEqual({ ok: true });
    const other = { ...request, apiKeyId: `${id}x`, reservationId: `${id}x` };
    expect(await store.ledger.reserve(other)).toEqual({ ok: true });
    expect(await store.ledger.reserve({ ...request, reservationId: `${id}y` })).toEqual({
      ok: false,
      exhausted: 'key',
      used: 0,
      inFlight: 3,
      limit: 4,
    });
    expect(await store.ledger.renew(account, id, 20)).toBe(true);
    expect(await store.ledger.settle(account, id, 2)).toBe(true);
    expect(await store.ledger.read(account)).toEqual({
      key: { used: 2, inFlight: 0 },
      pool: { used: 2, inFlight: 3 },
    });
  });

  test('keys that come from outside are kept, whatever they look like', async () => {
    const args = { $where: 1, 'a.b': { '': [{ $set: null }] }, '0': 'x' };
    const run = aRun({ toolCalls: [{ name: 'look', args }] });
    await store.runs.create(run);
    expect(await store.runs.get(run.id)).toEqual(run);
    const event = anAuditEvent({ changes: { 'a.b': { $gt: '' } } });
    await store.auditEvents.append(event);
    expect((await store.auditEvents.list({}, { limit: 1 })).data).toEqual([event]);
  });

  test('sums are exact to 2^53 - 1', async () => {
    const account = { organizationId: 'large', apiKeyId: 'k', cycleStartMs: 0, nowMs: 5 };
    const half = (Number.MAX_SAFE_INTEGER - 1) / 2;
    const limits = { keyLimit: Number.MAX_SAFE_INTEGER, poolLimit: Number.MAX_SAFE_INTEGER };
    const request = { ...account, ...limits, tokens: half, leaseEndsAtMs: 10 };
    for (const reservationId of ['a', 'b', 'c']) {
      const isThird = reservationId === 'c';
      const result = await store.ledger.reserve({ ...request, reservationId, tokens: isThird ? 2 : half });
      expect(result.ok).toBe(!isThird);
    }
    await store.ledger.settle(account, 'a', half);
    await store.ledger.settle(account, 'b', half);
    expect((await store.ledger.read(account)).pool.used).toBe(Number.MAX_SAFE_INTEGER - 1);
  });

  test('a reservation that nobody settled is forgotten a day after its lease', async () => {
    const account = { organizationId: 'old', apiKeyId: 'k', cycleStartMs: 0, nowMs: 0 };
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
    await reserve('c', 100 + dayMs);
    expect(await store.ledger.settle(account, 'a', 5)).toBe(false);
    expect(await store.ledger.settle(account, 'b', 5)).toBe(true);
  });

  test('a hold that nobody settled is forgotten a day after its lease', async () => {
    const account = { subject: 'actor:old', unit: 'tokens', window: 'month', startMs: 0 } as const;
    const hold = (id: string) => ({ id, fence: 1, account });
    const reserve = (id: string, nowMs: number) =>
      store.usageWindows.reserve({
        hold: hold(id),
        amount: 5,
        limit: 100,
        leaseEndsAtMs: nowMs + 100,
        nowMs,
      } satisfies UsageReservation);
    await reserve('a', 0);
    await reserve('b', 1);
    await reserve('c', 100 + dayMs);
    expect(await store.usageWindows.settle(hold('a'), 5)).toBe(false);
    expect(await store.usageWindows.settle(hold('b'), 5)).toBe(true);
  });
});
