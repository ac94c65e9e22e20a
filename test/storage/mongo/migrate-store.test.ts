import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAdmin } from '../../../src/admin/run-admin.ts';
import { migrateToMongo } from '../../../src/compose/migrate-to-mongo.ts';
import { parseConfig } from '../../../src/config.ts';
import type { Store } from '../../../src/ports/store.ts';
import { recordKinds, type TransferTarget } from '../../../src/ports/store-transfer.ts';
import { migrateStore } from '../../../src/services/migrate-store.ts';
import { openMongoStore } from '../../../src/storage/mongo/open-mongo-store.ts';
import { openTransferTarget } from '../../../src/storage/mongo/open-transfer-target.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { openTransferSource } from '../../../src/storage/sqlite/open-transfer-source.ts';
import { aTurn, nowMs } from '../../contract/a-turn.ts';
import { anAgent, aRun } from '../../contract/agent-records.ts';
import { aConnection, anApiKey, anAuditEvent, anOrganization, aUser } from '../../contract/records.ts';
import type { StorePlace } from '../../contract/store-contract.ts';
import { describeWithMongo } from '../../mongo-server.ts';
import { createMongoPlace } from './opener.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const owner = { organizationId: 'organization-1', actorId: 'user-1' };
const cycle = { organizationId: 'organization-1', cycleStartMs: 0, nowMs };
const account = { subject: 'actor:user-1', unit: 'tokens', window: 'month', startMs: nowMs } as const;
const conversation = {
  id: 'conversation-1',
  ...owner,
  title: 'Grüße 🌍',
  model: 'demo',
  mode: 'auto',
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
} as const;

/** Leaves something of every kind, in every state that it can be in. */
async function fill(store: Store): Promise<void> {
  await store.organizations.create(anOrganization());
  for (let index = 0; index < 450; index += 1) {
    await store.users.create(aUser({ id: `user-${index}`, createdAtMs: nowMs + index }));
  }
  const session = { userId: 'user-1', passwordTag: 'tag', createdAtMs: nowMs, lastUsedAtMs: nowMs };
  await store.sessions.create({ ...session, id: 'live', expiresAtMs: nowMs + 5_000 });
  await store.sessions.create({ ...session, id: 'over', expiresAtMs: nowMs });
  await store.apiKeys.create(anApiKey());
  await store.connections.create(aConnection({ actorId: null }));
  await store.auditEvents.append(anAuditEvent({ changes: { 'a.b': [{ $x: null }] } }));
  const limits = { keyLimit: null, poolLimit: null, leaseEndsAtMs: nowMs + 9_000 };
  for (const [apiKeyId, reservationId] of [
    ['key-1', 'settled'],
    ['key-1', 'held'],
    ['key.2', 'turn-1:1:0'],
  ] as const) {
    await store.ledger.reserve({ ...cycle, ...limits, apiKeyId, reservationId, tokens: 20 });
  }
  await store.ledger.settle({ ...cycle, apiKeyId: 'key-1' }, 'settled', 7);
  for (const id of ['settled', 'held']) {
    const hold = { id, fence: 1, account };
    await store.usageWindows.reserve({ hold, amount: 3, limit: 100, leaseEndsAtMs: nowMs + 9_000, nowMs });
  }
  await store.usageWindows.settle({ id: 'settled', fence: 1, account }, 5);
  for (const [index, id] of ['conversation-1', 'unlisted', 'deleted'].entries()) {
    await store.conversations.create(
      { ...conversation, id },
      { token: 'lock', leaseEndsAtMs: nowMs + 9_000 },
    );
    if (id === 'unlisted') continue;
    const noted = { position: 1, updatedAtMs: nowMs + index, lockToken: 'lock' };
    await store.conversations.noteTurn({ ...conversation, id }, noted);
  }
  await store.conversations.delete('deleted', owner, nowMs);
  await store.turns.begin(aTurn({ id: 'dead', claim: { name: 'n1', fingerprint: 'f', expiresAtMs: nowMs } }));
  await store.turns.begin(aTurn({ claim: { name: 'n2', fingerprint: 'f', expiresAtMs: nowMs + 99 } }));
  await store.turns.commit('turn-1', 1, {
    conversation,
    charges: [{ fence: 1, reservationId: 'settled', cycleStartMs: 0, tokens: 7 }],
    entry: {
      position: 1,
      messages: [{ id: 1, role: 'user', content: 'Hi \u0000', tokens: 1, createdAtMs: nowMs }],
    },
    answer: {
      id: 'turn-1',
      conversationId: 'conversation-1',
      model: 'demo',
      content: 'Hello',
      toolCalls: [{ name: 'look', args: { 'a.b': { $where: 1 } } }],
      finishReason: 'stop',
      usage: null,
      createdAtMs: nowMs,
    },
    committedAtMs: nowMs + 1,
    claimExpiresAtMs: nowMs + 500,
  });
  await store.agents.create(anAgent({ nextRunAtMs: nowMs }));
  await store.agents.create(anAgent({ id: 'agent-2', createdAtMs: 1 }));
  await store.runs.create(aRun());
  await store.replayMemory.claim({ key: 'live', value: 'v', nowMs, lastMs: nowMs + 5_000 });
  await store.replayMemory.claim({ key: 'over', value: 'v', nowMs: 0, lastMs: 5 });
  await store.jobs.add('job', nowMs);
}

/** What a store answers about all of it. */
async function ask(store: Store): Promise<unknown> {
  return Promise.all([
    store.organizations.get('organization-1'),
    store.users.list({}, { limit: 100 }),
    store.users.get('user-449'),
    store.sessions.get('live'),
    store.apiKeys.findPrincipal('hash of key-1'),
    store.connections.list({}, { limit: 10 }),
    store.auditEvents.list({}, { limit: 10 }),
    store.ledger.read({ ...cycle, apiKeyId: 'key-1' }),
    store.ledger.read({ ...cycle, apiKeyId: 'key.2' }),
    store.usageWindows.read(account),
    store.conversations.list(owner, { limit: 10 }),
    store.conversations.get('unlisted', owner),
    store.conversations.get('deleted', owner),
    store.turns.get('turn-1'),
    store.turns.get('dead'),
    store.turns.entries('conversation-1', { limit: 10 }),
    store.turns.listUnfinished({ state: 'dead', beforeMs: nowMs + 2_000, limit: 10 }),
    store.turns.listUnfinished({ state: 'unapplied', beforeMs: nowMs + 2_000, limit: 10 }),
    store.turns.listUnfinished({ state: 'expired', beforeMs: nowMs + 9_000, limit: 10 }),
    store.agents.list({ ownerId: 'user-1' }, { limit: 10 }),
    store.agents.listDue(nowMs, 10),
    store.runs.findActive('agent-1'),
    store.runs.listDue(nowMs * 2, 10),
  ]);
}

/** What a store does on with what was under way. */
async function goOn(store: Store): Promise<unknown> {
  return [
    await store.ledger.settle({ ...cycle, apiKeyId: 'key.2' }, 'turn-1:1:0', 4),
    await store.ledger.read({ ...cycle, apiKeyId: 'key.2' }),
    await store.usageWindows.settle({ id: 'held', fence: 1, account }, 2),
    await store.usageWindows.read(account),
    await store.conversations.lock('unlisted', owner, { token: 'b', leaseEndsAtMs: nowMs }, nowMs),
    await store.conversations.renew('unlisted', 'lock', nowMs + 99_000),
    await store.replayMemory.claim({ key: 'live', value: 'w', nowMs, lastMs: nowMs }),
    await store.jobs.claim({ nowMs, leaseEndsAtMs: nowMs + 5, token: 't', limit: 5 }),
    await store.turns.begin(aTurn({ id: 'other', claim: { name: 'n2', fingerprint: 'f', expiresAtMs: 0 } })),
  ];
}

describeWithMongo('migrate-store', (server) => {
  let folder: string;
  let place: StorePlace;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'service-migrate-'));
    place = await createMongoPlace(server());
    const store = openSqliteStore({ path: join(folder, 'service.db') });
    await fill(store);
    await store.close();
  });

  afterEach(async () => {
    await place.remove();
    rmSync(folder, { recursive: true });
  });

  const openSource = () => openTransferSource(join(folder, 'service.db'));

  /** Moves everything; `change` may come between. */
  async function move(change: (target: TransferTarget) => TransferTarget = (target) => target) {
    const source = openSource();
    const target = await openTransferTarget(place.location);
    try {
      return await migrateStore(source, change(target), nowMs);
    } finally {
      await target.close();
      await source.close();
    }
  }

  test('everything is there, answers the same and goes on the same', async () => {
    const summary = await move();
    expect(summary.map(({ kind, count, over }) => [kind, count, over])).toEqual([
      ['organizations', 1, 0],
      ['users', 450, 0],
      ['sessions', 1, 1],
      ['apiKeys', 1, 0],
      ['connections', 1, 0],
      ['auditEvents', 1, 0],
      ['ledgerCycles', 1, 0],
      ['usageWindows', 1, 0],
      ['conversations', 3, 0],
      ['turns', 2, 0],
      ['agents', 2, 0],
      ['runs', 1, 0],
      ['replayClaims', 1, 1],
      ['jobs', 1, 0],
    ]);
    expect(summary.map(({ kind }) => kind)).toEqual(recordKinds);
    const [before, after] = [
      openSqliteStore({ path: join(folder, 'service.db') }),
      await openMongoStore({ url: place.location }),
    ];
    expect(await ask(after)).toEqual(await ask(before));
    expect(await goOn(after)).toEqual(await goOn(before));
    await Promise.all([before.close(), after.close()]);
  });

  test('a database that holds anything is refused and left alone', async () => {
    const store = await openMongoStore({ url: place.location });
    await store.jobs.add('job', 5);
    await expect(move()).rejects.toThrow('is not empty: it has jobs');
    expect(await store.organizations.isEmpty()).toBe(true);
    await store.close();
  });

  test('one that failed in between cannot be opened, and the next one begins anew', async () => {
    const failing = move((target) => ({
      ...target,
      write: (kind, records) =>
        kind === 'turns' ? Promise.reject(new Error('the disk is full')) : target.write(kind, records),
    }));
    await expect(failing).rejects.toThrow('the disk is full');
    await expect(openMongoStore({ url: place.location })).rejects.toThrow('run migrate-store again');
    await move();
    const store = await openMongoStore({ url: place.location });
    expect((await store.users.list({}, { limit: 100 })).data).toHaveLength(100);
    await store.close();
  });

  test.for<readonly [string, (target: TransferTarget) => TransferTarget]>([
    [
      'lost',
      (target) => ({
        ...target,
        write: (kind, records) => target.write(kind, kind === 'users' ? records.slice(1) : records),
      }),
    ],
    [
      'changed',
      (target) => ({
        ...target,
        write: (kind, records) =>
          target.write(
            kind,
            kind === 'runs' ? records.map((record) => ({ ...record, payloadBytes: 9 })) : records,
          ),
      }),
    ],
  ])('a record that is %s on the way is noticed', async ([, change]) => {
    await expect(move(change)).rejects.toThrow('are not what was moved');
    await expect(openMongoStore({ url: place.location })).rejects.toThrow('unfinished import');
  });

  test('nobody writes to the source meanwhile', async () => {
    const source = openSource();
    const store = openSqliteStore({ path: join(folder, 'service.db'), busyTimeoutMs: 20 });
    await expect(store.jobs.add('late', 5)).rejects.toThrow('locked');
    await source.close();
    await store.jobs.add('late', 5);
    await store.close();
  });

  describe('on the command line', () => {
    const run = (
      env: Record<string, string> = {},
      args = ['--from', 'sqlite', '--to', 'mongodb', '--json'],
    ) =>
      runAdmin(['migrate-store', ...args], () => Promise.reject(new Error('no store is to be opened')), {
        async migrateStore() {
          const given = { DATA_DIR: folder, MONGODB_URL: place.location, SECRETS_KEY: key, ...env };
          const { config, secrets } = parseConfig(given);
          return migrateToMongo(config, secrets);
        },
      });

    test('it prints what was moved', async () => {
      const { exitCode, stdout } = await run();
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)[1]).toEqual({
        kind: 'users',
        records: 450,
        over: 0,
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    });

    test('a key other than that which sealed the records is refused', async () => {
      writeFileSync(join(folder, 'secrets.key'), Buffer.alloc(32, 8).toString('base64'));
      const refused = await run();
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('SECRETS_KEY') });
      const previous = { SECRETS_KEY_PREVIOUS: Buffer.alloc(32, 8).toString('base64') };
      expect(await run(previous)).toMatchObject({ exitCode: 0 });
    });

    test.for<readonly [string, string[]]>([
      ['from another store', ['--from', 'redis', '--to', 'mongodb']],
      ['to another store', ['--from', 'sqlite', '--to', 'sqlite']],
      ['without saying where to', ['--from', 'sqlite']],
    ])('%s is wrong usage', async ([, args]) => {
      expect((await run({}, args)).exitCode).toBe(2);
    });

    test('without a store to move, or a database to move to, it says so', async () => {
      expect((await run({ DATA_DIR: join(folder, 'none') })).stderr).toContain('no store to move');
      expect((await run({ MONGODB_URL: '' })).stderr).toContain('MONGODB_URL');
    });
  });
});
