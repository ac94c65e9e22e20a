import type { Agent } from '../../src/domain/agent.ts';
import { queuedRun, type Run } from '../../src/domain/run.ts';

const createdAtMs = Date.UTC(2026, 0, 15, 12);

export function anAgent(fields: Partial<Agent> = {}): Agent {
  return {
    id: 'agent-1',
    organizationId: 'organization-1',
    ownerId: 'user-1',
    name: 'Daily report',
    prompt: 'Write the daily report.',
    model: null,
    mode: 'auto',
    toolScopes: [],
    schedule: null,
    timezone: 'UTC',
    paused: false,
    expiresAtMs: null,
    timeLimitSeconds: 300,
    notifications: [],
    sealedNotificationSecret: null,
    webhookWrites: false,
    sealedWebhookSecret: null,
    nextRunAtMs: null,
    deletedAtMs: null,
    revision: 1,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...fields,
  };
}

export function aRun(fields: Partial<Run> = {}): Run {
  const agentId = fields.agentId ?? 'agent-1';
  return {
    ...queuedRun({
      id: 'run-1',
      agentId,
      organizationId: 'organization-1',
      ownerId: 'user-1',
      triggerType: 'webhook',
      queuedAtMs: createdAtMs,
      payload: null,
      payloadBytes: 0,
    }),
    ...fields,
  };
}
