import { MongoClient, type MongoServerError } from 'mongodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { collections } from '../../../src/storage/mongo/collections.ts';
import { indexes } from '../../../src/storage/mongo/indexes.ts';
import { isUpToDate, migrate } from '../../../src/storage/mongo/migrate.ts';
import type { Migration } from '../../../src/storage/mongo/migrations.ts';
import { takeOnlyPlace } from '../../../src/storage/mongo/only-place.ts';
import { openMongoStore } from '../../../src/storage/mongo/open-mongo-store.ts';
import { anAgent } from '../../contract/agent-records.ts';
import { anApiKey, anOrganization, aUser } from '../../contract/records.ts';
import type { StorePlace } from '../../contract/store-contract.ts';
import { describeWithMongo } from '../../mongo-server.ts';
import { createMongoPlace } from './opener.ts';

describeWithMongo('the schema on MongoDB', (server) => {
  let place: StorePlace;
  let client: MongoClient;
  const opened: Store[] = [];
  const database = () => client.db();

  beforeEach(async () => {
    place = await createMongoPlace(server());
    client = await MongoClient.connect(place.location);
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await client.close();
    await place.remove();
  });

  async function open(isAlone = false): Promise<Store> {
    const store = await openMongoStore({ url: place.location, isAlone });
    opened.push(store);
    return store;
  }

  test('has every collection and index of the tables once the first store is open', async () => {
    await open();
    const found = (await database().listCollections().toArray()).map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(Object.keys(collections)));
    for (const { collection, name, keys, uniqueFor, sparse, expireAfterSeconds } of indexes) {
      const present = await database().collection(collection).listIndexes().toArray();
      expect(present.find((index) => index.name === name)).toMatchObject({
        key: keys,
        ...(uniqueFor !== undefined && { unique: true }),
        ...(sparse === true && { sparse }),
        ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
      });
    }
  });

  test('is made once, by one of many processes that start at once', async () => {
    let runs = 0;
    let atOnce = 0;
    const step: Migration = {
      oldestReader: 1,
      async run(db) {
        runs += 1;
        atOnce += 1;
        await db.collection('users').insertOne({ marker: runs });
        expect(atOnce).toBe(1);
        atOnce -= 1;
      },
    };
    const clients = await Promise.all([1, 2, 3, 4].map(() => MongoClient.connect(place.location)));
    await Promise.all(clients.map((each) => migrate(each.db(), { now: Date.now, migrations: [step, step] })));
    await Promise.all(clients.map((each) => each.close()));
    expect(runs).toBe(2);
    expect(await isUpToDate(database(), [step, step])).toBe(true);
  });

  test('is taken over from a process that died in a migration, and begun again', async () => {
    const dying: Migration = { oldestReader: 1, run: () => Promise.reject(new Error('died')) };
    await expect(migrate(database(), { now: Date.now, migrations: [dying] })).rejects.toThrow('died');
    const lock = { lockToken: 'dead', lockEndsAtMs: 1_000 };
    await database().collection('service_state').updateOne({ version: 0 }, { $set: lock });
    const run = vi.fn(async () => {});
    const migrations = [{ oldestReader: 1, run }];
    await expect(migrate(database(), { now: () => 999, waitMs: 0, migrations })).rejects.toThrow('too long');
    await migrate(database(), { now: () => 1_000, migrations });
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('of a newer version is used when that one says so, and left as it is', async () => {
    await open();
    const state = database().collection('service_state');
    await state.updateOne({ version: 1 }, { $set: { version: 7, oldestReader: 1 } });
    await (await open()).organizations.create(anOrganization());
    expect(await state.findOne({ oldestReader: 1 })).toMatchObject({ version: 7 });
    await state.updateOne({ version: 7 }, { $set: { oldestReader: 2 } });
    await expect(open()).rejects.toThrow('start a newer one');
  });

  test('fields of a newer version are neither read nor removed by this one', async () => {
    const store = await open();
    await store.organizations.create(anOrganization());
    await store.users.create(aUser());
    await store.apiKeys.create(anApiKey());
    await store.agents.create(anAgent());
    const newer = { addedLater: { anything: 1 } };
    for (const name of ['organizations', 'users', 'api_keys', 'agents'] as const) {
      await database().collection(name).updateMany({}, { $set: newer });
    }
    expect(await store.organizations.get('organization-1')).toEqual(anOrganization());
    expect(await store.apiKeys.findPrincipal('hash of key-1')).toEqual({
      apiKey: anApiKey(),
      actor: aUser(),
      organization: anOrganization(),
    });
    expect(await store.users.update('user-1', { name: 'Grace' })).toEqual(aUser({ name: 'Grace' }));
    const agent = anAgent({ revision: 2, name: 'Renamed' });
    expect(await store.agents.replace(agent)).toBe(true);
    expect(await store.agents.get('agent-1')).toEqual(agent);
    expect(await database().collection('users').findOne({})).toMatchObject({ ...newer, name: 'Grace' });
    expect(await database().collection('agents').findOne({})).toMatchObject({ ...newer, name: 'Renamed' });
  });

  test('a field that the version before does not write reads as null', async () => {
    const store = await open();
    await store.users.create(aUser({ passwordHash: 'hash' }));
    await database()
      .collection('users')
      .updateMany({}, { $unset: { passwordHash: '', usageLimit: '' } });
    expect(await store.users.get('user-1')).toEqual(aUser({ passwordHash: null, usageLimit: null }));
  });

  test('a document that is no record is refused, where the server enforces validators', async (context) => {
    await open();
    try {
      await database().collection('users').insertOne({ email: 5 });
      console.warn(`skipped: ${server().version} does not enforce validators`);
      context.skip('the server does not enforce validators');
    } catch (error) {
      const documentValidationFailure = 121;
      expect((error as MongoServerError).code).toBe(documentValidationFailure);
    }
  });

  test('a second process that counts in its own memory is refused, until the first one is gone', async () => {
    const clock = { now: () => 1_000 };
    const first = await takeOnlyPlace(database(), clock, 30);
    let nowMs = 1_000;
    const passing = { now: () => (nowMs += 10) };
    await expect(takeOnlyPlace(database(), { now: () => (nowMs += 1) }, 10)).rejects.toThrow('REDIS_URL');
    await first.leave();
    const second = await takeOnlyPlace(database(), clock, 30);
    // Its process died: the lease ends by itself.
    const third = await takeOnlyPlace(database(), passing, 30);
    await vi.waitFor(() => expect(() => second.assertHeld()).toThrow('REDIS_URL'));
    await second.leave();
    third.assertHeld();
    await third.leave();
  });

  test('a store beside a serving process opens; one that would serve as well does not', async () => {
    const store = await open(true);
    const beside = await open();
    await beside.organizations.create(anOrganization());
    expect(await store.organizations.isEmpty()).toBe(false);
    await store.close();
    await (await open(true)).close();
  });
});
