import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type AgentSchema,
  AgentStatus,
  type NotificationTarget as NotificationTargetMessage,
  type NotificationTargetSchema,
} from '../../../gen/service/agent/v1/agent_pb.ts';
import { type Agent, agentStatus, type NotificationTarget } from '../../domain/agent.ts';
import { fromRunStatus, toRunStatus } from './run-message.ts';

const statuses = {
  active: AgentStatus.ACTIVE,
  paused: AgentStatus.PAUSED,
  expired: AgentStatus.EXPIRED,
} as const;

/** Returns an agent as a caller sees it: no secrets. */
export function toAgentMessage(agent: Agent, nowMs: number): MessageInitShape<typeof AgentSchema> {
  return {
    id: agent.id,
    ownerId: agent.ownerId,
    name: agent.name,
    prompt: agent.prompt,
    model: agent.model ?? '',
    mode: agent.mode,
    toolScopes: [...agent.toolScopes],
    schedule: agent.schedule ?? '',
    timezone: agent.timezone,
    status: statuses[agentStatus(agent, nowMs)],
    ...(agent.expiresAtMs !== null && { expiresAt: timestampFromMs(agent.expiresAtMs) }),
    timeLimitSeconds: agent.timeLimitSeconds,
    notifications: agent.notifications.map(toTargetMessage),
    webhookWrites: agent.webhookWrites,
    webhookConfigured: agent.sealedWebhookSecret !== null,
    ...(agent.nextRunAtMs !== null && { nextRunAt: timestampFromMs(agent.nextRunAtMs) }),
    createdAt: timestampFromMs(agent.createdAtMs),
    updatedAt: timestampFromMs(agent.updatedAtMs),
  };
}

function toTargetMessage(target: NotificationTarget): MessageInitShape<typeof NotificationTargetSchema> {
  return {
    target:
      target.kind === 'webhook'
        ? { case: 'webhookUrl', value: target.url }
        : { case: 'email', value: target.address },
    statuses: target.statuses.map(toRunStatus),
  };
}

/** Returns a target as the agent service takes it; its rules say what is wrong with it. */
export function fromTargetMessage({ target, statuses: ends }: NotificationTargetMessage): unknown {
  const told = ends.map(fromRunStatus);
  if (target.case === 'webhookUrl') return { kind: 'webhook', url: target.value, statuses: told };
  if (target.case === 'email') return { kind: 'email', address: target.value, statuses: told };
  return {};
}
