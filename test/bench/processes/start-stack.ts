import { openMongoStore } from '../../../src/storage/mongo/open-mongo-store.ts';
import { type MongoServer, openMongoServer } from '../../mongo-server.ts';
import { type RedisServer, startRedisServer } from '../../redis-server.ts';
import { createMongoPlace } from '../../storage/mongo/opener.ts';
import { type MeasuredProcess, startProcess } from '../chat/process.ts';
import { seedForLoad } from './seed-for-load.ts';

/** MongoDB and Redis, seeded, for any number of API processes. */
export interface Stack {
  readonly mongo: MongoServer;
  readonly redis: RedisServer;
  /** Of the seeded database. */
  readonly storeUrl: string;
  stop(): Promise<void>;
}

export async function startStack(): Promise<Stack> {
  const [mongo, redis] = await Promise.all([openMongoServer(), startRedisServer()]);
  const place = await createMongoPlace(mongo);
  const store = await openMongoStore({ url: place.location });
  await seedForLoad(store);
  await store.close();
  return {
    mongo,
    redis,
    storeUrl: place.location,
    async stop() {
      await place.remove();
      await mongo.stop();
      await redis.stop();
    },
  };
}

/** Starts an API process on a store and a Redis. */
export function startApi(storeUrl: string, redisUrl: string): Promise<MeasuredProcess> {
  const env = {
    MONGODB_URL: storeUrl,
    REDIS_URL: redisUrl,
    ROLE: 'api',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  };
  return startProcess('../processes/service.ts', [JSON.stringify(env)]);
}

/** Starts the service on an embedded store. */
export function startEmbedded(): Promise<MeasuredProcess> {
  return startProcess('../processes/service.ts');
}
