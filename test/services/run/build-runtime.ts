import { createMemoryRateCounter } from '../../../src/counters/memory/rate-counter.ts';
import { limits } from '../../../src/domain/limits.ts';
import type { Network } from '../../../src/net/connect-public.ts';
import { createWebhookSender } from '../../../src/notifications/create-webhook-sender.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Mailer } from '../../../src/ports/mailer.ts';
import { systemRandom } from '../../../src/ports/random.ts';
import type { RunQueue } from '../../../src/ports/run-queue.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { Tokenizer } from '../../../src/ports/tokenizer.ts';
import { createLocalRunQueue } from '../../../src/queue/local/local-run-queue.ts';
import { createAesGcmSealer } from '../../../src/secrets/aes-gcm-sealer.ts';
import { type AgentRuntime, createAgentRuntime } from '../../../src/services/agent-runtime.ts';
import type { Chat } from '../../../src/services/chat/chat.ts';
import { buildChat, type ChatBuild } from '../chat/build-chat.ts';

export interface RuntimeBuild extends ChatBuild {
  readonly mailer?: Mailer | null;
  readonly network?: Network;
  /** Of the receivers of webhooks. */
  readonly ca?: string;
  readonly concurrency?: number;
  /** In place of the local queue's. */
  readonly wrapQueue?: (queue: RunQueue) => RunQueue;
}

export interface RuntimeParts extends RuntimeBuild {
  readonly store: Store;
  readonly baseUrl: string;
  readonly tokenizer: Tokenizer;
  readonly clock: Clock;
  readonly report: (message: string, cause: unknown) => void;
}

export interface BuiltRuntime {
  readonly runtime: AgentRuntime;
  readonly chat: Chat;
  readonly queue: RunQueue;
  /** Works as a service that stops: drains until the deadline, then lets go of everything but the store. */
  close(deadlineMs?: number): Promise<void>;
}

/** Builds everything about agents over a model server, on the local queue. Nothing runs before it is started. */
export function buildRuntime(parts: RuntimeParts): BuiltRuntime {
  const { store, clock, report } = parts;
  const built = buildChat(parts);
  const models = { list: async () => ['large', 'small'], find: () => undefined };
  const local = createLocalRunQueue({
    jobs: store.jobs,
    clock,
    random: systemRandom,
    report,
    leaseMs: limits.agent.runLeaseMs,
    renewalMs: limits.agent.runLeaseMs / 4,
    pollMs: 20,
    failurePauseMs: 100,
  });
  const queue = parts.wrapQueue?.(local) ?? local;
  const runtime = createAgentRuntime(
    {
      store,
      queue,
      chat: built.chat,
      models,
      sealer: createAesGcmSealer([new Uint8Array(32).fill(9)], systemRandom),
      rateCounter: createMemoryRateCounter(),
      webhookSender: createWebhookSender({
        ...(parts.network && { network: parts.network }),
        ...(parts.ca !== undefined && { ca: parts.ca }),
      }),
      mailer: parts.mailer ?? null,
      clock,
      random: systemRandom,
      publicUrl: 'https://service.example.com',
      report,
    },
    { concurrency: parts.concurrency ?? 8, scheduleMs: 20, sweepMs: 50 },
  );
  return {
    runtime,
    chat: built.chat,
    queue,
    async close(deadlineMs = 0) {
      await runtime.close(deadlineMs);
      await queue.close();
      await built.close();
    },
  };
}
