import { type Agent, agentStatus } from '../../domain/agent.ts';
import { createId } from '../../domain/id.ts';
import { limits } from '../../domain/limits.ts';
import { webhookError } from '../../domain/webhook-errors.ts';
import { keepPayload } from '../../domain/webhook-payload.ts';
import { isSignatureOf, parseWebhookTimestamp, webhookMac } from '../../domain/webhook-signature.ts';
import type { RateCounter, RateStep } from '../../ports/counters.ts';
import type { Store } from '../../ports/store.ts';
import { secondsUntil } from '../admission/address-throttle.ts';
import { enqueueRun } from '../run/enqueue-run.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';
import { webhookSecretContext } from './webhook-service.ts';

/** A trigger as it was sent. */
export interface WebhookTrigger {
  readonly agentId: string;
  /** Of the client, after trusted proxies. */
  readonly address: string;
  /** The headers' values; several of one name are joined by a comma, and then match nothing. */
  readonly timestamp: string | null;
  readonly signature: string | null;
  /** Byte for byte as sent. */
  readonly body: Uint8Array;
}

export interface TriggerDependencies
  extends Pick<RunDependencies, 'queue' | 'sealer' | 'clock' | 'random' | 'report' | 'observer'> {
  readonly store: RunDependencies['store'] & Pick<Store, 'replayMemory'>;
  readonly rateCounter: RateCounter;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

const { attemptsPerIpMinute, attemptsPerIpHour, triggersPerAgentHour } = limits.webhook;

/**
 * Takes a signed trigger: checks it in the order of the interface and queues a run, or notes a skipped one when the
 * agent is at work. Once this resolves, the run is on record.
 *
 * @throws ApiError of `webhookRefusals`
 */
export async function triggerWebhook(deps: TriggerDependencies, trigger: WebhookTrigger): Promise<void> {
  const { clock, store } = deps;
  const nowMs = clock.now();
  await count(
    deps,
    hitOf(`webhook-address-minute:${trigger.address}`, attemptsPerIpMinute, minuteMs),
    hitOf(`webhook-address-hour:${trigger.address}`, attemptsPerIpHour, hourMs),
  );
  const agent = await store.agents.get(trigger.agentId);
  if (agent === undefined || agent.deletedAtMs !== null || agent.sealedWebhookSecret === null) {
    throw webhookError('WEBHOOK_NOT_CONFIGURED');
  }
  const mac = verify(deps, agent, agent.sealedWebhookSecret, trigger, nowMs);
  const organization = await store.organizations.get(agent.organizationId);
  if (organization === undefined || organization.suspended) throw webhookError('ORGANIZATION_SUSPENDED');
  const status = agentStatus(agent, nowMs);
  if (status === 'expired') throw webhookError('AGENT_EXPIRED');
  if (status === 'paused') throw webhookError('AGENT_PAUSED');
  await count(deps, hitOf(`webhook-agent:${agent.id}`, triggersPerAgentHour, hourMs));
  await enqueueOnce(deps, agent, mac, trigger.body, nowMs);
}

/** Returns the MAC of a request that is signed, and was signed now. */
function verify(
  { sealer }: TriggerDependencies,
  agent: Agent,
  sealedSecret: string,
  { timestamp, signature, body }: WebhookTrigger,
  nowMs: number,
): Buffer {
  if (timestamp === null || timestamp === '') throw webhookError('TIMESTAMP_REQUIRED');
  const signedAtMs = parseWebhookTimestamp(timestamp);
  if (signedAtMs === undefined || Math.abs(nowMs - signedAtMs) > limits.webhook.timestampToleranceMs) {
    throw webhookError('TIMESTAMP_OUT_OF_WINDOW');
  }
  const secret = sealer.open(sealedSecret, webhookSecretContext(agent.id));
  const mac = webhookMac(secret, timestamp, body);
  if (!isSignatureOf(mac, signature ?? '')) throw webhookError('INVALID_SIGNATURE');
  return mac;
}

/**
 * Uses the request up and records its run. The claim names the run: one whose process died before the run was on
 * record does not stand in the way of the same request, and of two at once only one records it.
 */
async function enqueueOnce(
  deps: TriggerDependencies,
  agent: Agent,
  mac: Buffer,
  body: Uint8Array,
  nowMs: number,
): Promise<void> {
  const { store, random } = deps;
  const fresh = createId(nowMs, random.bytes(10));
  const claim = {
    key: mac.toString('hex'),
    value: fresh,
    nowMs,
    lastMs: nowMs + limits.webhook.replayMemoryMs,
  };
  const id = (await store.replayMemory.claim(claim)) ?? fresh;
  if (id !== fresh && (await store.runs.get(id)) !== undefined) throw webhookError('WEBHOOK_REPLAY');
  const run = await enqueueRun(deps, agent, {
    id,
    triggerType: 'webhook',
    payload: keepPayload(body),
    payloadBytes: body.length,
  });
  if (run === undefined) throw webhookError('WEBHOOK_REPLAY');
}

function hitOf(key: string, limit: number, windowMs: number): RateStep {
  return { kind: 'hit', key, window: { limit, windowMs } };
}

async function count({ rateCounter, clock }: TriggerDependencies, ...hits: RateStep[]): Promise<void> {
  const nowMs = clock.now();
  const verdicts = await rateCounter.takeSteps(hits, nowMs);
  const refusing = verdicts.find(({ allowed }) => !allowed);
  if (refusing !== undefined)
    throw webhookError('TOO_MANY_TRIGGERS', secondsUntil(refusing.resetAtMs, nowMs));
}
