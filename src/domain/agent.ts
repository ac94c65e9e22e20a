import type { ChatMode } from './organization.ts';
import type { RunStatus, TriggerType } from './run-status.ts';
import type { Scope } from './scopes.ts';

/** Scopes that an agent can hold: those that grant tools. */
export const toolScopes = [
  'sql.read',
  'sql.write',
  'tracker.read',
  'tracker.write',
  'wiki.read',
  'wiki.write',
  'mail.read',
] as const satisfies readonly Scope[];

export type ToolScope = (typeof toolScopes)[number];

/** Who is told of the end of a run. `statuses`: which ends; empty: all. */
export type NotificationTarget = (
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'email'; readonly address: string }
) & { readonly statuses: readonly RunStatus[] };

/** A saved prompt that runs on a schedule, by hand or by a signed webhook. Times are Unix milliseconds. */
export interface Agent {
  readonly id: string;
  readonly organizationId: string;
  readonly ownerId: string;
  readonly name: string;
  readonly prompt: string;
  /** Null: the owner's default. */
  readonly model: string | null;
  readonly mode: ChatMode;
  readonly toolScopes: readonly ToolScope[];
  /** Cron expression of five fields; null: none. */
  readonly schedule: string | null;
  /** IANA name. */
  readonly timezone: string;
  readonly paused: boolean;
  /** From then on it counts as expired; null: never. */
  readonly expiresAtMs: number | null;
  /** Of one run. */
  readonly timeLimitSeconds: number;
  readonly notifications: readonly NotificationTarget[];
  /** Signs outgoing webhooks (`whsec_…`); null while no target needs it. */
  readonly sealedNotificationSecret: string | null;
  /** Whether runs by webhook may use write tools. */
  readonly webhookWrites: boolean;
  /** Of version v2, 64 hexadecimal characters; null: not configured. */
  readonly sealedWebhookSecret: string | null;
  /** When the schedule is next due; null: never. */
  readonly nextRunAtMs: number | null;
  readonly deletedAtMs: number | null;
  /** Counts the changes. */
  readonly revision: number;
  /** Unique among its owner's agents. */
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type AgentStatus = 'active' | 'paused' | 'expired';

/** Returns the state at a time; an expired agent is that whether or not it is paused. */
export function agentStatus(agent: Pick<Agent, 'paused' | 'expiresAtMs'>, nowMs: number): AgentStatus {
  if (agent.expiresAtMs !== null && agent.expiresAtMs <= nowMs) return 'expired';
  return agent.paused ? 'paused' : 'active';
}

/**
 * Returns the scopes with which a run's tools are chosen. What a webhook sends is not the owner's word: its runs get
 * read tools only, unless the agent allows them to write.
 */
export function scopesOfRun(
  agent: Pick<Agent, 'toolScopes' | 'webhookWrites'>,
  triggerType: TriggerType,
): readonly ToolScope[] {
  if (triggerType !== 'webhook' || agent.webhookWrites) return agent.toolScopes;
  return [...new Set(agent.toolScopes.map((scope) => scope.replace(/\.write$/, '.read') as ToolScope))];
}
