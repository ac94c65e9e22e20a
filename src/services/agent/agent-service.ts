import { type Agent, agentStatus, type NotificationTarget } from '../../domain/agent.ts';
import { formatCursor } from '../../domain/cursor.ts';
import { ServiceError } from '../../domain/errors.ts';
import { createId } from '../../domain/id.ts';
import { limits } from '../../domain/limits.ts';
import { nextDueMs } from '../../domain/schedule.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import { StoreConflict } from '../../ports/store.ts';
import { readFields, refuse, wholeNumber } from '../accounts/field-rules.ts';
import { assertModels } from '../accounts/model-rules.ts';
import { notificationSecretContext } from '../notification/deliver-notifications.ts';
import { requestCancel } from '../run/cancel-run.ts';
import type { AgentAccess, AgentDependencies } from './agent-dependencies.ts';
import { type AgentInput, agentRules } from './agent-rules.ts';
import { changeAgent, findAgent, recordAgentChange } from './change-agent.ts';

/** An agent as saved, and the secret of its outgoing webhooks (`whsec_…`) when this call made it: shown once. */
export interface SavedAgent {
  readonly agent: Agent;
  readonly notificationSecret: string | null;
}

export interface AgentPageInput {
  /** 1 to 100; 25 unless given. */
  readonly limit?: number;
  /** Only agents created strictly before this, Unix milliseconds. */
  readonly beforeMs?: number;
  /** In place of a time: where the page before ended. */
  readonly cursor?: string;
}

export interface AgentService {
  /** @throws `invalid_request` */
  create(ownerId: string, input: AgentInput, access: AgentAccess): Promise<SavedAgent>;
  /** @throws `not_found` */
  get(id: string, access: AgentAccess): Promise<Agent>;
  /** The newest first. */
  list(page: AgentPageInput, access: AgentAccess): Promise<Page<Agent>>;
  /** Changes the given fields. @throws `not_found`, `invalid_request` */
  update(id: string, input: AgentInput, access: AgentAccess): Promise<SavedAgent>;
  /** No schedule, no webhook. @throws `not_found` */
  pause(id: string, access: AgentAccess): Promise<Agent>;
  /** The schedule goes on with its next time. @throws `not_found` */
  resume(id: string, access: AgentAccess): Promise<Agent>;
  /** Counts as expired from now on. @throws `not_found` */
  expire(id: string, access: AgentAccess): Promise<Agent>;
  /** Stops its run, and keeps the records of its runs. @throws `not_found` */
  delete(id: string, access: AgentAccess): Promise<void>;
}

export function createAgentService(deps: AgentDependencies): AgentService {
  const { store, clock, random } = deps;

  return {
    async create(ownerId, input, access) {
      const fields = readFields(agentRules, input);
      const { name = refuse('name', 'is required'), prompt = refuse('prompt', 'is required') } = fields;
      const owner = (await store.users.get(ownerId)) ?? refuse('owner', 'names no user');
      await assertInOrder(deps, fields, owner.organizationId);
      const nowMs = clock.now();
      const id = createId(nowMs, random.bytes(10));
      const saved: Agent = {
        id,
        organizationId: owner.organizationId,
        ownerId,
        model: null,
        mode: 'auto',
        toolScopes: [],
        schedule: null,
        timezone: 'UTC',
        paused: false,
        expiresAtMs: null,
        timeLimitSeconds: limits.agent.timeLimitSecondsDefault,
        notifications: [],
        webhookWrites: false,
        ...fields,
        name,
        prompt,
        sealedNotificationSecret: null,
        sealedWebhookSecret: null,
        nextRunAtMs: null,
        deletedAtMs: null,
        revision: 1,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      };
      const secret = needsSecret(saved) ? newSecret(deps) : null;
      const agent = await insert(deps, {
        ...saved,
        nextRunAtMs: nextRun(saved, nowMs),
        sealedNotificationSecret: secret && deps.sealer.seal(secret, notificationSecretContext(id)),
      });
      await recordAgentChange(deps, agent, access, 'create', trailOf(fields));
      return { agent, notificationSecret: secret };
    },

    get: (id, access) => findAgent(deps, id, access),

    list({ limit = limits.agent.pageSizeDefault, beforeMs, cursor: given }, { ownerId }) {
      readFields({ limit: wholeNumber(1, limits.agent.pageSizeMax) }, { limit });
      // No id sorts before "0": all of a later millisecond, and none of this one.
      const before = beforeMs === undefined ? undefined : formatCursor({ createdAtMs: beforeMs, id: '0' });
      const cursor = given ?? before;
      const page: PageRequest = cursor === undefined ? { limit } : { limit, cursor };
      return store.agents.list(ownerId === null ? {} : { ownerId }, page);
    },

    async update(id, input, access) {
      const fields = readFields(agentRules, input);
      const { organizationId } = await findAgent(deps, id, access);
      await assertInOrder(deps, fields, organizationId);
      let notificationSecret: string | null = null;
      const agent = await changeAgent(
        deps,
        id,
        access,
        'update',
        (present) => {
          const next = { ...present, ...fields };
          const isTimed = [fields.schedule, fields.timezone, fields.expiresAtMs].some((x) => x !== undefined);
          const nextRunAtMs = isTimed ? nextRun(next, clock.now()) : present.nextRunAtMs;
          const isNew = needsSecret(next) && present.sealedNotificationSecret === null;
          notificationSecret = isNew ? newSecret(deps) : null;
          const sealed =
            notificationSecret && deps.sealer.seal(notificationSecret, notificationSecretContext(id));
          const kept = needsSecret(next) ? present.sealedNotificationSecret : null;
          return { ...fields, nextRunAtMs, sealedNotificationSecret: sealed ?? kept };
        },
        trailOf(fields),
      );
      return { agent, notificationSecret };
    },

    pause: (id, access) =>
      changeAgent(deps, id, access, 'pause', () => ({ paused: true, nextRunAtMs: null })),

    resume: (id, access) =>
      changeAgent(deps, id, access, 'resume', (present) => ({
        paused: false,
        nextRunAtMs: nextRun({ ...present, paused: false }, clock.now()),
      })),

    expire: (id, access) =>
      changeAgent(deps, id, access, 'expire', () => ({ expiresAtMs: clock.now(), nextRunAtMs: null })),

    async delete(id, access) {
      await changeAgent(deps, id, access, 'delete', () => ({
        deletedAtMs: clock.now(),
        nextRunAtMs: null,
        sealedWebhookSecret: null,
      }));
      const active = await store.runs.findActive(id);
      if (active !== undefined) await requestCancel(deps, active.id);
    },
  };
}

/** @throws `invalid_request` when a field is right by itself but not with what else there is. */
async function assertInOrder(
  deps: AgentDependencies,
  fields: { readonly model?: string | null; readonly notifications?: readonly NotificationTarget[] },
  organizationId: string,
): Promise<void> {
  if (fields.notifications?.some(({ kind }) => kind === 'email') && !deps.hasMailServer) {
    refuse('notifications', 'names a mail address, and this service has no mail server (SMTP_URL)');
  }
  if (fields.model == null) return;
  const organization = await deps.store.organizations.get(organizationId);
  await assertModels(deps, [fields.model], organization?.models ?? [], 'model');
}

function nextRun(agent: Agent, nowMs: number): number | null {
  if (agent.schedule === null || agentStatus(agent, nowMs) !== 'active') return null;
  return nextDueMs({ cron: agent.schedule, timezone: agent.timezone }, nowMs);
}

function needsSecret({ notifications }: Pick<Agent, 'notifications'>): boolean {
  return notifications.some(({ kind }) => kind === 'webhook');
}

/** 24 bytes, as Standard Webhooks recommends. */
function newSecret({ random }: AgentDependencies): string {
  return `whsec_${Buffer.from(random.bytes(24)).toString('base64')}`;
}

/** The trail says that a prompt was set, not what it is. */
function trailOf<Fields extends { readonly prompt?: string }>({ prompt, ...fields }: Fields) {
  return { ...fields, ...(prompt !== undefined && { prompt: 'set' }) };
}

/** Stores a new agent at the first free millisecond, so that pages by time of creation lose none. */
async function insert({ store }: AgentDependencies, agent: Agent): Promise<Agent> {
  for (let createdAtMs = agent.createdAtMs; ; createdAtMs += 1) {
    try {
      await store.agents.create({ ...agent, createdAtMs });
      return { ...agent, createdAtMs };
    } catch (error) {
      if (error instanceof StoreConflict && error.field === 'createdAtMs') continue;
      throw error instanceof StoreConflict ? new ServiceError('internal_error', { cause: error }) : error;
    }
  }
}
