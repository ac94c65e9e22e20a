import { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { createApiKeyToken } from '../../src/domain/api-key-token.ts';
import { describeWithMongo, type MongoServer } from '../mongo-server.ts';
import { describeWithRedis } from '../redis-server.ts';
import { type Relay, startRelay } from '../relay/relay.ts';
import { createMongoPlace } from '../storage/mongo/opener.ts';
import { startMs } from './seed.ts';
import { startService } from './start-service.ts';

/** The gate's requests: the principal and the ledger; address and hour in one script. */
const gate = { mongodb: ['aggregate', 'aggregate'], redis: ['evalsha'] };
const nothing = { mongodb: [], redis: [] };

describeWithMongo('round trips of a call', (mongo) => {
  describeWithRedis('on MongoDB and Redis', (redis) => {
    const closers: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) await close();
    });

    /** An API process behind two relays, warm: every script is known, the key's last use noted. */
    async function start(env: Readonly<Record<string, string>> = {}) {
      await emptyRedis();
      const relays = { mongodb: await openRelay(mongo().url), redis: await openRelay(redis().url) };
      const place = await createMongoPlace({ ...mongo(), url: relays.mongodb.url } satisfies MongoServer);
      closers.push(() => place.remove());
      let nowMs = startMs;
      const service = await startService(
        {
          MONGODB_URL: place.location,
          REDIS_URL: relays.redis.url,
          SECRETS_KEY: Buffer.alloc(32).toString('base64'),
          ROLE: 'api',
          ...env,
        },
        { clock: { now: () => nowMs } },
      );
      closers.push(() => service.stop());

      /** Calls, and tells the status and what went over the wire for it. */
      async function call(path: string, body?: object, headers: Record<string, string> = {}) {
        const response = await fetch(service.url + path, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${service.apiKey}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        await response.arrayBuffer();
        return {
          status: response.status,
          mongodb: relays.mongodb.take(),
          redis: relays.redis.take(),
        };
      }

      for (let warming = 0; warming < 2; warming += 1) await call('/v1/health');
      await expect.poll(async () => (await call('/v1/health')).mongodb).toEqual(gate.mongodb);
      const pass = (ms: number): void => {
        nowMs += ms;
      };
      return { call, pass };
    }

    /** All services here have one clock, and so would share their buckets. */
    async function emptyRedis(): Promise<void> {
      const client = new Redis(redis().url);
      await client.flushall();
      client.disconnect();
    }

    async function openRelay(url: string): Promise<Relay> {
      const relay = await startRelay(url);
      closers.push(() => relay.stop());
      return relay;
    }

    test('a gated call asks MongoDB twice and Redis once, call after call', async () => {
      const { call } = await start();
      for (let count = 0; count < 5; count += 1) {
        expect(await call('/v1/health')).toEqual({ status: 200, ...gate });
      }
    });

    test('a document asks for no more than the gate does', async () => {
      const { call } = await start();
      const body = { title: 'Plan', columns: ['a', 'b'], rows: [{ a: 1, b: 2 }] };
      expect(await call('/v1/excel', body)).toEqual({ status: 200, ...gate });
    });

    test('what is refused asks for no more: scope, unknown key, malformed key, no route', async () => {
      const { call } = await start();
      const unknown = { authorization: `Bearer ${createApiKeyToken(new Uint8Array(48).fill(9))}` };
      expect(await call('/v1/health', undefined, unknown)).toEqual({
        status: 401,
        mongodb: ['aggregate'],
        redis: gate.redis,
      });
      for (const headers of [{ authorization: 'Bearer nonsense' }, { authorization: '' }]) {
        expect(await call('/v1/health', undefined, headers)).toEqual({
          status: 401,
          mongodb: [],
          redis: gate.redis,
        });
      }
      expect(await call('/v1/nowhere')).toEqual({ status: 404, mongodb: [], redis: gate.redis });
    });

    test('a refused address costs neither of them anything', async () => {
      const { call } = await start({ IP_AUTH_FAILURE_LIMIT: '2' });
      for (let count = 0; count < 2; count += 1) {
        expect(await call('/v1/health', undefined, { authorization: 'Bearer x' })).toMatchObject({
          status: 401,
        });
      }
      expect(await call('/v1/health')).toMatchObject({ status: 429, redis: gate.redis });
      for (const path of ['/v1/health', '/v1/nowhere']) {
        expect(await call(path)).toEqual({ status: 429, ...nothing });
      }
    });

    test('a chat turn adds its record, its reservation and its bill, and nothing on Redis', async () => {
      const { call, pass } = await start();
      // The first turn of a cycle also begins its ledger.
      await call('/v1/chat', { message: 'Hello' });
      const turns = [];
      for (let count = 0; count < 5; count += 1) {
        pass(1_000);
        turns.push(await call('/v1/chat', { message: 'Hello' }));
      }
      for (const turn of turns) expect(turn).toMatchObject({ status: 200, redis: gate.redis });
      // Turns are put away in batches, some time after they ended.
      const requests = turns.flatMap(({ mongodb }) => mongodb);
      console.info(`five chat turns: ${requests.length} requests to MongoDB`);
      expect(requests.length).toBeLessThanOrEqual(5 * 10);
    });
  });
});
