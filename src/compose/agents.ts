import type { Config, Secrets } from '../config.ts';
import { createSmtpMailer } from '../notifications/create-smtp-mailer.ts';
import { createWebhookSender } from '../notifications/create-webhook-sender.ts';
import type { Clock } from '../ports/clock.ts';
import type { RateCounter } from '../ports/counters.ts';
import type { ModelCatalog } from '../ports/model.ts';
import type { Random } from '../ports/random.ts';
import type { RunObserver } from '../ports/run-observer.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import { type AgentRuntime, createAgentRuntime } from '../services/agent-runtime.ts';
import type { Chat } from '../services/chat/chat.ts';

export interface AgentParts {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly store: Store;
  readonly queue: RunQueue;
  readonly rateCounter: RateCounter;
  readonly chat: Chat;
  readonly models: ModelCatalog;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (message: string, cause: unknown) => void;
  readonly observer: RunObserver;
}

/**
 * Builds everything about agents. Nothing runs until it is started; closing it drains its runs, and must come before
 * chat, queue and store are closed.
 */
export function openAgents({ config, secrets, ...parts }: AgentParts): AgentRuntime {
  const { smtpUrl } = secrets;
  const mailer = smtpUrl === null ? null : createSmtpMailer({ url: smtpUrl, from: config.mailFrom });
  const runtime = createAgentRuntime(
    {
      ...parts,
      webhookSender: createWebhookSender(),
      mailer,
      publicUrl: config.publicUrl,
    },
    { concurrency: config.runConcurrency },
  );
  return {
    ...runtime,
    async close(deadlineMs) {
      await runtime.close(deadlineMs);
      await mailer?.close();
    },
  };
}
