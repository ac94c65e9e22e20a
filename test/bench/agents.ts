/**
 * Measures agents on the local queue and the embedded store on disk: `node test/bench/agents.ts`. Models answer at once.
 */
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

export interface AgentMeasurement {
  /** Signed triggers a second that are verified and on disk as queued runs, 64 at once. */
  readonly triggersPerSecond: number;
  /** From the call of a trigger to the call of the model, one at a time, milliseconds. */
  readonly startMs: { readonly median: number; readonly p99: number };
}

const agentCount = 2_000;
const startSamples = 300;
const concurrency = 64;
const access = { ownerId: 'user-1', by: 'user-1' };

/** Measures over a new store, with the queue that `openQueue` makes for it. */
export async function measureAgents(openQueue: (store: Store) => RunQueue): Promise<AgentMeasurement> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agents-'));
  const store = openSqliteStore({ path: join(folder, 'service.db') });
  const queue = openQueue(store);
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
      return { answer, isReplay: false };
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
    clock: systemClock,
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
  const triggersPerSecond = (agentCount / (performance.now() - startedMs)) * 1_000;

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
  return { triggersPerSecond, startMs: { median: at(0.5), p99: at(0.99) } };
}

function report(message: string, cause: unknown): void {
  console.error(message, cause);
}

function show(title: string, { triggersPerSecond, startMs }: AgentMeasurement): void {
  console.log(`${title}
  accepted triggers     ${triggersPerSecond.toFixed(0)} a second
  from trigger to start ${startMs.median.toFixed(1)} ms median, ${startMs.p99.toFixed(1)} ms p99
`);
}

/** Measures both queues over the embedded store on disk, and prints the figures: they have no peer. */
export async function benchAgents(): Promise<void> {
  const local = await measureAgents(({ jobs }) =>
    createLocalRunQueue({ jobs, clock: systemClock, random: systemRandom, report }),
  );
  show('agents, local queue', local);
  if (redisProgram === undefined) return console.log('agents, BullMQ: redis-server was not found');
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
    show('agents, BullMQ', onRedis);
  } finally {
    client.disconnect();
    await redis.stop();
  }
}
