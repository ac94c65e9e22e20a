/**
 * Sends mixed traffic to an API process and a worker on MongoDB and Redis for SOAK_SECONDS (600) and looks at what they
 * hold. Ends with status 1 when memory or handles grow, or a call was answered as it should not be.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openMongoStore } from '../../src/storage/mongo/open-mongo-store.ts';
import { createCluster, type ServiceProcess } from '../chaos/cluster.ts';
import { createAgents, createKey, createOrganization, signInMember } from '../chaos/house.ts';
import { startModelServer } from '../chaos/model-server.ts';
import { openMongoServer } from '../mongo-server.ts';
import { startRedisServer } from '../redis-server.ts';
import { fittedGrowth, type Sample, takeSample, total } from './samples.ts';
import { type CallLog, sendTraffic } from './traffic.ts';

const seconds = Number(process.env.SOAK_SECONDS ?? 600);
const sampleEveryMs = Math.max(1_000, seconds * 10);

/**
 * By how much a value may grow over the second half of the soak, by the line that fits its samples best: what a
 * collection leaves behind varies by that much.
 */
const bounds = {
  'held MB': { of: ({ bytes }: Sample) => bytes / 2 ** 20, max: 6 },
  'RSS MB': { of: ({ rssBytes }: Sample) => rssBytes / 2 ** 20, max: 40 },
  descriptors: { of: ({ descriptors }: Sample) => total(descriptors), max: 8 },
  resources: { of: ({ resources }: Sample) => total(resources), max: 8 },
} as const;

const closers: (() => Promise<unknown>)[] = [];
try {
  await soak();
} finally {
  for (const close of closers.splice(0).reverse()) await close();
}

async function soak(): Promise<void> {
  const mongo = await openMongoServer();
  closers.push(mongo.stop);
  const redis = await startRedisServer();
  closers.push(redis.stop);
  const mongodbUrl = `${mongo.url}/soak`;
  const store = await openMongoStore({ url: mongodbUrl });
  closers.push(() => store.close());
  await createOrganization(store);
  const models = await startModelServer(Math.random);
  closers.push(models.close);
  const cluster = await createCluster({
    roles: { api: 'api', worker: 'worker' },
    mongodbUrl,
    redisUrl: redis.url,
    modelsUrl: models.baseUrl,
    execArgv: ['--expose-gc', '--import', fileURLToPath(new URL('./probe.ts', import.meta.url))],
    env: { IP_AUTH_FAILURE_LIMIT: '1000000000' },
  });
  closers.push(cluster.remove);
  await Promise.all(cluster.processes.map((each) => each.start()));
  const [api] = cluster.of('api');
  if (api === undefined) throw new Error('no process');
  const session = await signInMember(api.url);
  const log: CallLog = { durationsMs: new Map(), faults: [] };
  const startedMs = Date.now();
  const isOver = () => Date.now() - startedMs > seconds * 1_000;
  const traffic = sendTraffic({
    url: api.url,
    key: await createKey(store, 'key', { tokenBudget: null }),
    narrowKey: await createKey(store, 'narrow', { scopes: ['pdf'] }),
    session,
    agents: await createAgents(api.url, session, 20),
    log,
    isOver,
  });
  const samples = new Map<ServiceProcess, Sample[]>(cluster.processes.map((each) => [each, []]));
  while (!isOver()) {
    await sleep(sampleEveryMs);
    for (const [each, taken] of samples) taken.push(await takeSample(each, Date.now() - startedMs));
  }
  await traffic;
  console.info(`${seconds} s against ${mongo.version}\n\n${formatCalls(log)}\n`);
  const faults = [...log.faults];
  for (const [each, taken] of samples) faults.push(...judge(each.name, taken));
  for (const [text, count] of cluster.errors) console.info(`logged ${count} times: ${text}`);
  for (const each of cluster.processes) {
    const status = await each.stop();
    if (status !== 0) faults.push(`${each.name} ended with ${status} when it was told to stop`);
  }
  for (const fault of faults) console.error(`FAULT ${fault}`);
  console.info(faults.length === 0 ? 'Nothing grew, nothing failed.' : `${faults.length} faults.`);
  if (faults.length > 0) process.exitCode = 1;
}

function formatCalls({ durationsMs }: CallLog): string {
  const lines = ['| call | count | p50 ms | p99 ms | longest ms |', '|---|---|---|---|---|'];
  for (const [kind, durations] of [...durationsMs].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const sorted = durations.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    lines.push(`| ${kind} | ${sorted.length} | ${at(0.5)} | ${at(0.99)} | ${at(1)} |`);
  }
  return lines.join('\n');
}

/** The first, the last, and others in equal distances. */
function evenly<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, (all.length - 1) / (count - 1));
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** Prints what a process held, and returns what grew. */
function judge(name: string, samples: readonly Sample[]): readonly string[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  const [first, last] = [half[0], half.at(-1)];
  const faults: string[] = [];
  for (const [value, { of, max }] of Object.entries(bounds)) {
    const growth = fittedGrowth(half, of);
    const some = evenly(samples, 13).map((sample) => of(sample).toFixed(0));
    const minutes = ((last?.ms ?? 0) - (first?.ms ?? 0)) / 60_000;
    console.info(
      `${name} ${value}: ${some.join(' ')}; second half ${(growth / minutes).toFixed(2)} a minute`,
    );
    if (growth > max) faults.push(`${name}: ${value} grew by ${growth.toFixed(1)}, more than ${max}`);
  }
  const delays = half.map(({ delayMs }) => delayMs);
  const most = (of: (delay: Sample['delayMs']) => number) => Math.max(...delays.map(of)).toFixed(0);
  console.info(
    `${name} event loop late by at most: p50 ${most(({ p50 }) => p50)} ms, p99 ${most(({ p99 }) => p99)} ms, ${most(({ max }) => max)} ms`,
  );
  console.info(
    `${name} descriptors ${JSON.stringify(last?.descriptors)}, resources ${JSON.stringify(last?.resources)}\n`,
  );
  return faults;
}
