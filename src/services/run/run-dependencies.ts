import type { Clock } from '../../ports/clock.ts';
import type { Mailer } from '../../ports/mailer.ts';
import type { Random } from '../../ports/random.ts';
import type { RunObserver } from '../../ports/run-observer.ts';
import type { RunQueue } from '../../ports/run-queue.ts';
import type { Sealer } from '../../ports/sealer.ts';
import type { Store } from '../../ports/store.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import type { Chat } from '../chat/chat.ts';

/** What runs need, from their queueing to the notification of their end. */
export interface RunDependencies {
  readonly store: Pick<Store, 'agents' | 'runs' | 'organizations' | 'users'>;
  readonly queue: Pick<RunQueue, 'add'>;
  readonly chat: Pick<Chat, 'run'>;
  readonly sealer: Sealer;
  readonly webhookSender: WebhookSender;
  /** Null: there is no mail server. */
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of failures that no caller sees. */
  readonly report: (message: string, cause: unknown) => void;
  readonly observer?: RunObserver;
}
