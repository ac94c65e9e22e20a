import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { LedgerAccount } from '../../../src/ports/ledger.ts';
import type { Store } from '../../../src/ports/store.ts';
import { openMongoStore } from '../../../src/storage/mongo/open-mongo-store.ts';
import { anOrganization, aUser } from '../../contract/records.ts';
import { runStoreProcess } from '../../contract/store-process.ts';
import { describeWithMongo, type MongoProgram, type MongoServer } from '../../mongo-server.ts';
import { createMongoPlace } from './opener.ts';

const timeouts = { selectionMs: 500, answerMs: 500 };

/** Far above what the timeouts come to, far below what the driver takes by itself (30 s to find a server). */
const boundMs = 10_000;

const account: LedgerAccount = {
  organizationId: 'organization-1',
  apiKeyId: 'key-1',
  cycleStartMs: 0,
  nowMs: 1_000,
};

/** Rejects when the operation has not ended in time, whichever way. */
async function bounded<T>(operation: Promise<T>): Promise<T> {
  const tooLate = new AbortController();
  const limit = sleep(boundMs, undefined, { signal: tooLate.signal }).then(
    () => Promise.reject(new Error('hung')),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([operation, limit]);
  } finally {
    tooLate.abort();
  }
}

async function withStore(
  server: MongoServer,
  body: (store: Store, program: MongoProgram) => Promise<void>,
): Promise<void> {
  if (server.program === undefined) throw new Error('needs a server that the tests started');
  const place = await createMongoPlace(server);
  const store = await openMongoStore({ url: place.location, timeouts });
  try {
    await body(store, server.program);
  } finally {
    await store.close();
    await place.remove();
  }
}

/** Reserves and settles 7 tokens until told to stop; counts what was acknowledged and what failed. */
async function settleUntil(store: Store, name: string, isOver: () => boolean) {
  const counts = { acknowledged: 0, unknown: 0 };
  for (let index = 0; !isOver(); index += 1) {
    const reservationId = `${name}-${index}`;
    const limits = { keyLimit: null, poolLimit: null };
    let isReserved = false;
    try {
      const request = { ...account, ...limits, reservationId, tokens: 9, leaseEndsAtMs: 2_000 };
      await bounded(store.ledger.reserve(request));
      isReserved = true;
      await bounded(store.ledger.settle(account, reservationId, 7));
      counts.acknowledged += 1;
    } catch (error) {
      if (error instanceof Error && error.message === 'hung') throw error;
      if (isReserved) counts.unknown += 1;
    }
  }
  return counts;
}

describeWithMongo('the store while MongoDB dies', (server) => {
  test.skipIf(process.env.TEST_MONGODB_URL !== undefined)(
    'a server that is killed and restarted under load: errors in time, no acknowledged write lost, no restart needed',
    async () => {
      await withStore(server(), async (store, program) => {
        let isOver = false;
        const runners = ['a', 'b', 'c', 'd'].map((name) => settleUntil(store, name, () => isOver));
        const untilMore = async () => {
          const { key } = await vi.waitFor(() => store.ledger.read(account), boundMs);
          await vi.waitFor(
            async () => expect((await store.ledger.read(account)).key.used).toBeGreaterThan(key.used + 70),
            boundMs,
          );
        };
        try {
          for (let round = 0; round < 2; round += 1) {
            await untilMore();
            await program.kill();
            await expect(bounded(store.ledger.read(account))).rejects.toMatchObject({
              slug: 'entitlement_check_failed',
            });
            await program.restart();
          }
          await untilMore();
        } finally {
          isOver = true;
        }
        const counts = await Promise.all(runners);
        const sum = (of: 'acknowledged' | 'unknown') => counts.reduce((total, count) => total + count[of], 0);
        const settled = (await store.ledger.read(account)).key.used / 7;
        expect(Number.isInteger(settled)).toBe(true);
        expect(settled).toBeGreaterThanOrEqual(sum('acknowledged'));
        expect(settled).toBeLessThanOrEqual(sum('acknowledged') + sum('unknown'));
      });
    },
    120_000,
  );

  test.skipIf(process.env.TEST_MONGODB_URL !== undefined)(
    'a server that takes connections and does not answer makes operations reject, and answers later ones',
    async () => {
      await withStore(server(), async (store, program) => {
        await store.organizations.create(anOrganization());
        program.pause();
        try {
          // The signal takes its time.
          await vi.waitFor(
            () => expect(store.organizations.get('organization-1')).rejects.toThrow(),
            boundMs,
          );
          const reads = [1, 2, 3].map(() => bounded(store.organizations.get('organization-1')));
          const writes = [1, 2].map(() =>
            bounded(store.organizations.update('organization-1', { trial: true })),
          );
          for (const { status, ...outcome } of await Promise.allSettled([...reads, ...writes])) {
            expect(status).toBe('rejected');
            expect(outcome).toMatchObject({ reason: { slug: 'entitlement_check_failed' } });
          }
        } finally {
          program.resume();
        }
        expect((await store.organizations.get('organization-1'))?.name).toBe('Example');
      });
    },
    60_000,
  );

  test('processes killed while they write leave each operation done or not done', async () => {
    const place = await createMongoPlace(server());
    const [settled, ...created] = await Promise.all([
      runStoreProcess(place, 'settle', '', 25),
      runStoreProcess(place, 'createUsers', 'left', 10),
      runStoreProcess(place, 'createUsers', 'right', 40),
    ]);
    const store = await openMongoStore({ url: place.location });
    const { key, pool } = await store.ledger.read({ ...account, nowMs: 1_500 });
    expect(key.used % 7).toBe(0);
    expect([settled.length, settled.length + 1]).toContain(key.used / 7);
    expect(pool).toEqual(key);
    for (const id of created.flat()) {
      const index = Number(id.slice(id.indexOf('-') + 1));
      expect(await store.users.get(id)).toEqual(aUser({ id, name: 'x'.repeat(index) }));
    }
    await store.close();
    await place.remove();
  });

  test('a server that cannot be reached at the start is a refusal in time, which names it and no password', async () => {
    const url = 'mongodb://user:secret@127.0.0.1:1/service';
    const failure = await bounded(openMongoStore({ url, timeouts })).catch((error: unknown) => String(error));
    expect(failure).toContain('MongoDB at 127.0.0.1:1 cannot be used');
    expect(failure).not.toContain('secret');
  });

  test('a connection string that is none is refused without repeating it', async () => {
    const failure = await openMongoStore({ url: 'mongodb://user:sec@ret@:x' }).catch(String);
    expect(failure).toContain('MONGODB_URL is not a valid connection string');
    expect(failure).not.toContain('sec@');
  });
});
