import { Agent } from 'undici';
import { mongoProgram } from '../mongo-server.ts';
import { redisProgram } from '../redis-server.ts';
import { startRelay } from '../relay/relay.ts';
import type { BenchRow } from './bench-row.ts';
import type { MeasuredProcess } from './chat/process.ts';
import {
  type CpuUse,
  describeUse,
  othersCores,
  ownMeter,
  processMeter,
  shareOf,
  watchCpu,
} from './processes/cpu-watch.ts';
import { type Stack, startApi, startEmbedded, startStack } from './processes/start-stack.ts';
import {
  chatTurn,
  health,
  largeWorkbook,
  load,
  smallWorkbook,
  type Workload,
} from './processes/workloads.ts';

const rounds = 6;
const concurrency = 16;
const countedCalls = 20;
/** Cores that others may take of the machine, for a figure of throughput to mean something. */
const othersMax = 0.3;

/**
 * Measures the service on MongoDB and Redis beside its embedded default: the CPU of its own process for a call, how
 * throughput grows with a second API process, and the round trips of a call.
 *
 * What the speed of the servers decides is said, and is no row.
 */
export async function benchProcesses(): Promise<BenchRow[]> {
  if (mongoProgram === undefined || redisProgram === undefined) {
    console.log('processes: needs mongod (MONGOD, or TEST_MONGODB_URL) and redis-server');
    return [];
  }
  const stack = await startStack();
  const agent = new Agent({ connections: concurrency });
  const embedded = await startEmbedded();
  const shared = [
    await startApi(stack.storeUrl, stack.redis.url),
    await startApi(stack.storeUrl, stack.redis.url),
  ] as const;
  try {
    console.log(`processes: ran against ${stack.mongo.version}`);
    const rows: BenchRow[] = [];
    for (const workload of [health, smallWorkbook, chatTurn]) {
      rows.push(await compareCpu(agent, workload, shared[0], embedded));
    }
    for (const workload of [health, largeWorkbook]) {
      rows.push(...(await measureGrowth(agent, workload, stack, shared)));
    }
    rows.push(...(await countRoundTrips(agent, stack)));
    return rows;
  } finally {
    await agent.destroy();
    for (const one of [embedded, ...shared]) await one.stop();
    await stack.stop();
  }
}

async function compareCpu(
  agent: Agent,
  workload: Workload,
  shared: MeasuredProcess,
  embedded: MeasuredProcess,
): Promise<BenchRow> {
  const servers = [shared, embedded];
  const least = servers.map(() => Number.POSITIVE_INFINITY);
  for (let round = -3; round < rounds; round += 1) {
    for (const [index, server] of servers.entries()) {
      const before = await server.cpuMicros();
      await load(agent, [server.port], workload, workload.callsPerRound, concurrency);
      const spent = ((await server.cpuMicros()) - before) / workload.callsPerRound;
      // The rounds before the first warm both up.
      if (round >= 0) least[index] = Math.min(least[index] as number, spent);
    }
  }
  const [ours, peer] = least as [number, number];
  return {
    name: workload.name,
    ours,
    peer,
    unit: 'µs CPU',
    ratio: peer / ours,
    target: undefined,
    sides: ['MongoDB and Redis', 'embedded'],
    note: `by its CPU alone, a core could do ${Math.floor(1e6 / ours)} and ${Math.floor(1e6 / peer)} a second`,
  };
}

/**
 * Milliseconds a call with two processes beside one, at the same width. No row when servers had most of the CPU that was
 * used, or others on the machine too much of it.
 */
async function measureGrowth(
  agent: Agent,
  workload: Workload,
  { mongo, redis }: Stack,
  processes: readonly [MeasuredProcess, MeasuredProcess],
): Promise<BenchRow[]> {
  const meters = {
    service: async () => (await processes[0].cpuMicros()) + (await processes[1].cpuMicros()),
    MongoDB: processMeter(mongo.program?.pid()),
    Redis: processMeter(redis.pid()),
    client: ownMeter,
  };
  const fastest: (CpuUse | undefined)[] = [undefined, undefined];
  for (let round = -1; round < rounds; round += 1) {
    for (const count of [1, 2]) {
      const ports = processes.slice(0, count).map(({ port }) => port);
      const use = await watchCpu(meters, () =>
        load(agent, ports, workload, workload.callsPerRound, concurrency),
      );
      const known = fastest[count - 1];
      if (round >= 0 && (known === undefined || use.wallMicros < known.wallMicros)) fastest[count - 1] = use;
    }
  }
  const [one, two] = fastest as [CpuUse, CpuUse];
  const name = `${workload.name}, two API processes`;
  const growth = one.wallMicros / two.wallMicros;
  const cpuPerCall = ({ micros }: CpuUse) =>
    ((micros.service ?? 0) / workload.callsPerRound / 1_000).toFixed(2);
  const limit =
    `the service's CPU a call ${cpuPerCall(two)} ms, with one ${cpuPerCall(one)} ms; ` +
    `limit: ${describeUse(two)}; with one ${describeUse(one)}`;
  const others = othersCores(two);
  if (shareOf(two, 'service') < 0.5 || others > othersMax) {
    const rest = `others had ${others.toFixed(1)} cores`;
    console.log(`  ${name}: ${growth.toFixed(2)} times one, no figure of the service: ${rest}; ${limit}`);
    return [];
  }
  const msPerCall = ({ wallMicros }: CpuUse) => wallMicros / 1_000 / workload.callsPerRound;
  return [
    {
      name,
      ours: msPerCall(two),
      peer: msPerCall(one),
      unit: 'ms',
      ratio: growth,
      target: undefined,
      sides: ['two', 'one'],
      note: limit,
    },
  ];
}

/** Counts what a process asks of MongoDB and Redis for a call, through relays, beside what the gate may ask. */
async function countRoundTrips(agent: Agent, { storeUrl, redis }: Stack): Promise<BenchRow[]> {
  const relays = { MongoDB: await startRelay(storeUrl), Redis: await startRelay(redis.url) };
  const allowed = { MongoDB: 2, Redis: 1 };
  const api = await startApi(relays.MongoDB.url, relays.Redis.url);
  try {
    const rows: BenchRow[] = [];
    for (const workload of [health, smallWorkbook, chatTurn]) {
      // Also notes the key's last use, and makes Redis know the script.
      await load(agent, [api.port], workload, 3, 1);
      for (const relay of Object.values(relays)) relay.take();
      await load(agent, [api.port], workload, countedCalls, 1);
      for (const [name, relay] of Object.entries(relays)) {
        const made = relay.take().length / countedCalls;
        const most = allowed[name as keyof typeof allowed];
        rows.push({
          name: `${workload.name}, round trips to ${name}`,
          ours: made,
          peer: most,
          unit: 'trips',
          ratio: most / made,
          target: workload === chatTurn ? undefined : 1,
          sides: ['made', 'the gate alone'],
        });
      }
    }
    return rows;
  } finally {
    await api.stop();
    for (const relay of Object.values(relays)) await relay.stop();
  }
}
