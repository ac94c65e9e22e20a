import type { Agent } from '../../domain/agent.ts';
import { limits } from '../../domain/limits.ts';
import { type Delivery, type Run, withDeliveries } from '../../domain/run.ts';
import type { JobOutcome } from '../../ports/run-queue.ts';
import { WebhookFailure } from '../../ports/webhook-sender.ts';
import { changeRun } from '../run/change-run.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';
import { mailSubject, mailText, webhookBody } from './notification-text.ts';

/** After the first try, the second and so on, milliseconds: a little over three hours in all. */
const retryDelaysMs = [10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const;

/** The context that an agent's notification secret is sealed for. */
export function notificationSecretContext(agentId: string): string {
  return `agent/${agentId}/notification-secret`;
}

/**
 * Sends the notifications of an ended run that are due and notes what became of them. Each is tried until its receiver
 * has taken it, at most six times; a receiver may get one twice, under the same id.
 */
export async function deliverNotifications(
  deps: RunDependencies,
  run: Run,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (run.dueAtMs === null) return { state: 'done' };
  const agent = await deps.store.agents.get(run.agentId);
  const deliveries = await Promise.all(
    run.deliveries.map(async (delivery, index) => {
      const isDue = delivery.state === 'pending' && delivery.dueAtMs <= deps.clock.now();
      return isDue ? deliver(deps, { agent, run, delivery, index }, signal) : delivery;
    }),
  );
  const noted = await changeRun(deps.store.runs, run.id, (present) =>
    present.revision === run.revision ? withDeliveries(present, deliveries) : undefined,
  );
  const next = noted ?? (await deps.store.runs.get(run.id));
  return next?.dueAtMs == null ? { state: 'done' } : { state: 'later', notBeforeMs: next.dueAtMs };
}

interface DueDelivery {
  readonly agent: Agent | undefined;
  readonly run: Run;
  readonly delivery: Delivery;
  readonly index: number;
}

async function deliver(deps: RunDependencies, due: DueDelivery, signal: AbortSignal): Promise<Delivery> {
  const { delivery, run } = due;
  if (signal.aborted) return delivery;
  const attempts = delivery.attempts + 1;
  try {
    await send(deps, due, AbortSignal.any([signal, AbortSignal.timeout(limits.notification.timeoutMs)]));
    return { ...delivery, attempts, state: 'delivered' };
  } catch (error) {
    if (signal.aborted) return delivery;
    deps.report(`a notification of run ${run.id} was not delivered (attempt ${attempts})`, error);
    const delayMs = retryDelaysMs[attempts - 1];
    const isOver = delayMs === undefined || (error instanceof WebhookFailure && error.isFinal);
    return isOver
      ? { ...delivery, attempts, state: 'failed' }
      : { ...delivery, attempts, dueAtMs: deps.clock.now() + delayMs };
  }
}

async function send(
  { webhookSender, mailer, sealer, clock }: RunDependencies,
  { agent, run, delivery: { target }, index }: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  if (agent === undefined) throw new WebhookFailure('the agent is gone', true);
  const id = `run_${run.id}_${index}`;
  if (target.kind === 'email') {
    if (mailer === null) throw new WebhookFailure('no mail server is configured', true);
    const mail = { to: target.address, subject: mailSubject(agent, run), text: mailText(agent, run), id };
    return mailer.send(mail, signal);
  }
  if (agent.sealedNotificationSecret === null) throw new WebhookFailure('the agent has no secret', true);
  const secret = sealer.open(agent.sealedNotificationSecret, notificationSecretContext(agent.id));
  return webhookSender.send(
    { url: target.url, id, timestampMs: clock.now(), body: webhookBody(agent, run), secret },
    signal,
  );
}
