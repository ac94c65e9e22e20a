import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import type { Store } from '../../src/ports/store.ts';
import { openMongoStore } from '../../src/storage/mongo/open-mongo-store.ts';
import type { BrowserSession } from '../wire/session-client.ts';
import { pick } from './client.ts';
import { type Cluster, createCluster } from './cluster.ts';
import {
  createAgents,
  createKey,
  createOrganization,
  type HeldKey,
  signInMember,
  type TriggeredAgent,
} from './house.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

/** Two API processes and two workers on one database, and everything that their clients have. */
export interface Ground {
  readonly cluster: Cluster;
  readonly models: ModelServer;
  /** What the processes' records are looked at with. */
  readonly store: Store;
  readonly database: Db;
  readonly session: BrowserSession;
  readonly agents: readonly TriggeredAgent[];
  readonly keys: {
    readonly keyed: HeldKey;
    readonly talking: HeldKey;
    /** Each is soon used up. */
    readonly budgets: readonly HeldKey[];
    /** With few calls an hour: for before and after Redis has forgotten its counters. */
    readonly hourly: readonly [HeldKey, HeldKey];
  };
  close(): Promise<void>;
}

export interface GroundOptions {
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  /** How many budgets and agents the load of so many seconds needs. */
  readonly seconds: number;
}

const roles = { 'api-1': 'api', 'worker-1': 'worker', 'api-2': 'api', 'worker-2': 'worker' } as const;

export async function openGround({ mongodbUrl, redisUrl, seconds }: GroundOptions): Promise<Ground> {
  const url = `${mongodbUrl}/chaos-${randomUUID()}`;
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const store = await openMongoStore({ url });
    closers.push(() => store.close());
    const client = await MongoClient.connect(url, { socketTimeoutMS: 5_000 });
    closers.push(() => client.close());
    const models = await startModelServer(Math.random);
    closers.push(models.close);
    const cluster = await createCluster({ roles, mongodbUrl: url, redisUrl, modelsUrl: models.baseUrl });
    closers.push(cluster.remove);
    await createOrganization(store);
    const keys = await createKeys(store, seconds);
    await Promise.all(cluster.processes.map((each) => each.start()));
    const { url: apiUrl } = pick(cluster.of('api'), 0);
    const session = await signInMember(apiUrl);
    // A webhook may trigger an agent 60 times an hour.
    const agents = await createAgents(apiUrl, session, Math.max(10, Math.ceil(seconds / 12)));
    return { cluster, models, store, database: client.db(), session, agents, keys, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createKeys(store: Store, seconds: number): Promise<Ground['keys']> {
  const budgets = Array.from({ length: Math.ceil(seconds / 8) }, (_, index) =>
    createKey(store, `budget-${index + 1}`, { tokenBudget: 15_000 }),
  );
  const rateLimitPerHour = Math.min(1_000, Math.max(60, seconds * 3));
  return {
    keyed: await createKey(store, 'keyed'),
    talking: await createKey(store, 'talking'),
    budgets: await Promise.all(budgets),
    hourly: [
      await createKey(store, 'hourly-1', { rateLimitPerHour }),
      await createKey(store, 'hourly-2', { rateLimitPerHour }),
    ],
  };
}
