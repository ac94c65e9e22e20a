import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCommandClient, openWorkerClient } from '../../src/compose/redis.ts';
import { createMemoryRateCounter } from '../../src/counters/memory/rate-counter.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { systemRandom } from '../../src/ports/random.ts';
import type { RunQueue } from '../../src/ports/run-queue.ts';
import type { Store } from '../../src/ports/store.ts';
import { createBullmqRunQueue } from '../../src/queue/bullmq/bullmq-run-queue.ts';
import { createLocalRunQueue } from '../../src/queue/local/local-run-queue.ts';
import { createAesGcmSealer } from '../../src/secrets/aes-gcm-sealer.ts';
import { createAgentRuntime } from '../../src/services/agent-runtime.ts';
import type { Chat } from '../../src/services/chat/chat.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { anOrganization, aUser } from '../contract/records.ts';
import { redisProgram, startRedisServer } from '../redis-server.ts';
import type { BenchRow } from './bench-row.ts';

/** Milliseconds. */
interface AgentTimes {
  /** For a signed trigger to be verified and on disk as a queued run, 64 at once. */
  readonly trigger: number;
  /** From the call of a trigger to the call of the model, one at a time. */
  readonly startMedian: number;
  readonly startP99: number;
}

const agentCount = 1_000;
const startSamples = 200;
const concurrency = 64;
const access = { ownerId: 'user-1', by: 'user-1' };

/** Measures over a new store, with the queue that `openQueue` makes for it. Models answer at once. */
async function measureAgents(openQueue: (store: Store) => RunQueue): Promise<AgentTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agents-'));
  const store = openSqliteStore({ path: join(folder, 'service.db') });
  const queue = openQueue(store);
  // No two agents of an owner are of the same millisecond: made at once, they would look for a free one in turns.
  let madeAtMs = Date.UTC(2026, 0);
  let now = (): number => {
    madeAtMs += 1;
    return madeAtMs;
  };
  let onStart = (): void => undefined;
  const chat: Pick<Chat, 'run'> = {
    async run({ input }) {
      onStart();
      const answer = {
        id: randomUUID(),
        conversationId: null,
        model: input.model ?? 'none',
        content: 'Done.',
        toolCalls: [],
        finishReason: 'stop',
        usage: null,
        createdAtMs: Date.now(),
      } as const;
      return { answer, isReplay: false, billedTokens: 0 };
    },
  };
  const runtime = createAgentRuntime({
    store,
    queue,
    chat,
    models: { list: async () => [], find: () => undefined },
    sealer: createAesGcmSealer([new Uint8Array(32)], systemRandom),
    rateCounter: createMemoryRateCounter(),
    webhookSender: { send: async () => undefined },
    mailer: null,
    clock: { now: () => now() },
    random: systemRandom,
    publicUrl: 'http://service.test',
    report: (message, cause) => console.error(message, cause),
  });
  await store.organizations.create(anOrganization());
  await store.users.create(aUser());
  const agents = await Promise.all(
    Array.from({ length: agentCount + startSamples }, async (_, index) => {
      const { agent } = await runtime.agents.create('user-1', { name: `${index}`, prompt: 'Go.' }, access);
      return { id: agent.id, secret: (await runtime.webhooks.configure(agent.id, access)).secret };
    }),
  );
  now = Date.now;

  async function trigger({ id, secret }: (typeof agents)[number]): Promise<void> {
    const timestamp = String(Date.now());
    const body = Buffer.from('{"order":7}');
    const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
    await runtime.trigger({ agentId: id, address: randomUUID(), timestamp, signature, body });
  }

  const waiting = agents.slice(0, agentCount);
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let agent = waiting.pop(); agent !== undefined; agent = waiting.pop()) await trigger(agent);
    }),
  );
  const triggerMs = (performance.now() - startedMs) / agentCount;

  const drained = Promise.withResolvers<void>();
  let left = agentCount;
  onStart = () => {
    left -= 1;
    if (left === 0) drained.resolve();
  };
  runtime.start();
  await drained.promise;

  const times: number[] = [];
  for (const agent of agents.slice(agentCount)) {
    const { promise, resolve } = Promise.withResolvers<void>();
    onStart = resolve;
    const calledMs = performance.now();
    await Promise.all([trigger(agent), promise]);
    times.push(performance.now() - calledMs);
  }
  await runtime.close(10_000);
  await queue.close();
  await store.close();
  rmSync(folder, { recursive: true });
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { trigger: triggerMs, startMedian: at(0.5), startP99: at(0.99) };
}

function report(message: string, cause: unknown): void {
  console.error(message, cause);
}

/** Measures agents over the embedded store on disk, with the queue on Redis beside the local one. */
export async function benchAgents(): Promise<BenchRow[]> {
  if (redisProgram === undefined) {
    console.log('agents: needs redis-server');
    return [];
  }
  const local = await measureAgents(({ jobs }) =>
    createLocalRunQueue({ jobs, clock: systemClock, random: systemRandom, report }),
  );
  const redis = await startRedisServer();
  const client = await openCommandClient(redis.url, report);
  const openClient = () => openWorkerClient(redis.url, report);
  try {
    const onRedis = await measureAgents(() =>
      createBullmqRunQueue({
        client,
        openWorkerClient: openClient,
        prefix: 'bench',
        clock: systemClock,
        report,
      }),
    );
    return [
      row('signed trigger to a queued run, 64 at once', onRedis.trigger, local.trigger),
      row('from trigger to start, median', onRedis.startMedian, local.startMedian),
      row('from trigger to start, 99th percentile', onRedis.startP99, local.startP99),
    ];
  } finally {
    client.disconnect();
    await redis.stop();
  }
}

function row(name: string, ours: number, peer: number): BenchRow {
  const ratio = peer / ours;
  return { name, ours, peer, unit: 'ms', ratio, target: undefined, sides: ['BullMQ', 'local queue'] };
}
