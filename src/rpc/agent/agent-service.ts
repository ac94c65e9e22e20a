import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type {
  AgentService as AgentServiceDesc,
  CreateAgentRequest,
  UpdateAgentRequest,
} from '../../../gen/service/agent/v1/agent_pb.ts';
import type { AgentAccess } from '../../services/agent/agent-dependencies.ts';
import type { AgentInput } from '../../services/agent/agent-rules.ts';
import type { AgentRuntime } from '../../services/agent-runtime.ts';
import { clientAddressKey } from '../context-keys.ts';
import { signedInUserOf } from '../session-principal.ts';
import { fromTargetMessage, toAgentMessage } from './agent-message.ts';
import { fromRunStatus, fromTriggerType, toRunMessage, toWatchMessage } from './run-message.ts';

/**
 * Answers for agents, their runs and webhooks: to the owner while signed in, and TriggerWebhook to whoever signs.
 *
 * @param now Unix milliseconds
 */
export function createAgentRpc(
  { agents, runs, webhooks, trigger }: Omit<AgentRuntime, 'start' | 'close'>,
  now: () => number,
): ServiceImpl<typeof AgentServiceDesc> {
  return {
    async createAgent(request, context) {
      const access = accessOf(context);
      const { agent, notificationSecret } = await agents.create(access.ownerId, creation(request), access);
      return { agent: toAgentMessage(agent, now()), ...secretField(notificationSecret) };
    },
    async listAgents({ limit, before }, context) {
      const page = { ...(limit !== undefined && { limit }), ...beforeField(before) };
      const { data, nextCursor } = await agents.list(page, accessOf(context));
      return { data: data.map((agent) => toAgentMessage(agent, now())), hasMore: nextCursor !== undefined };
    },
    async getAgent({ id }, context) {
      return { agent: toAgentMessage(await agents.get(id, accessOf(context)), now()) };
    },
    async updateAgent(request, context) {
      const { agent, notificationSecret } = await agents.update(
        request.id,
        update(request),
        accessOf(context),
      );
      return { agent: toAgentMessage(agent, now()), ...secretField(notificationSecret) };
    },
    async deleteAgent({ id }, context) {
      await agents.delete(id, accessOf(context));
      return {};
    },
    async pauseAgent({ id }, context) {
      return { agent: toAgentMessage(await agents.pause(id, accessOf(context)), now()) };
    },
    async resumeAgent({ id }, context) {
      return { agent: toAgentMessage(await agents.resume(id, accessOf(context)), now()) };
    },
    async expireAgent({ id }, context) {
      return { agent: toAgentMessage(await agents.expire(id, accessOf(context)), now()) };
    },
    async runAgent({ id }, context) {
      return { run: toRunMessage(await runs.run(id, accessOf(context))) };
    },
    async listRuns({ agentId, limit, before, status, triggerType, includeSkipped }, context) {
      const input = {
        ...(limit !== undefined && { limit }),
        ...beforeField(before),
        statuses: status.flatMap((each) => fromRunStatus(each) ?? []),
        triggerTypes: triggerType.flatMap((each) => fromTriggerType(each) ?? []),
        includeSkipped,
      };
      const { data, hasMore } = await runs.list(agentId, input, accessOf(context));
      return { data: data.map(toRunMessage), hasMore };
    },
    async getRun({ agentId, id }, context) {
      return { run: toRunMessage(await runs.get(agentId, id, accessOf(context))) };
    },
    async cancelRun({ agentId, id }, context) {
      return { run: toRunMessage(await runs.cancel(agentId, id, accessOf(context))) };
    },
    async *watchRun({ agentId, id }, context) {
      for await (const event of runs.watch(agentId, id, accessOf(context), context.signal)) {
        yield toWatchMessage(event);
      }
    },
    async configureWebhook({ agentId }, context) {
      const { secret, triggerUrl, secretVersion, note } = await webhooks.configure(
        agentId,
        accessOf(context),
      );
      context.responseHeader.set('cache-control', 'no-store');
      return { ok: true, secret, triggerUrl, secretVersion, note };
    },
    async removeWebhook({ agentId }, context) {
      await webhooks.remove(agentId, accessOf(context));
      return { ok: true };
    },
    async triggerWebhook({ agentId, body }, context) {
      await trigger({
        agentId,
        address: context.values.get(clientAddressKey),
        timestamp: context.requestHeader.get('x-webhook-timestamp'),
        signature: context.requestHeader.get('x-webhook-signature'),
        body: body?.data ?? new Uint8Array(),
      });
      return { ok: true, queued: true };
    },
  };
}

function accessOf(context: Pick<HandlerContext, 'values'>): AgentAccess & { readonly ownerId: string } {
  const { id } = signedInUserOf(context);
  return { ownerId: id, by: id };
}

/** Fields that a creation leaves out are empty in its message, and then have their defaults. */
function creation(request: CreateAgentRequest): AgentInput {
  const { name, prompt, model, mode, toolScopes, schedule, timezone, expiresAt, webhookWrites } = request;
  return {
    name,
    prompt,
    toolScopes,
    webhookWrites,
    notifications: request.notifications.map(fromTargetMessage),
    ...(model !== '' && { model }),
    ...(mode !== '' && { mode }),
    ...(schedule !== '' && { schedule }),
    ...(timezone !== '' && { timezone }),
    ...(expiresAt !== undefined && { expiresAtMs: timestampMs(expiresAt) }),
    ...(request.timeLimitSeconds !== undefined && { timeLimitSeconds: request.timeLimitSeconds }),
  };
}

function update(request: UpdateAgentRequest): AgentInput {
  const { name, prompt, model, mode, toolScopes, schedule, timezone, expiresAt, webhookWrites } = request;
  const setsScopes = toolScopes.length > 0 || request.setToolScopes;
  const setsTargets = request.notifications.length > 0 || request.setNotifications;
  return {
    name,
    prompt,
    model: model === '' ? null : model,
    mode,
    timezone,
    schedule: schedule === '' ? null : schedule,
    timeLimitSeconds: request.timeLimitSeconds,
    webhookWrites,
    ...(setsScopes && { toolScopes }),
    ...(setsTargets && { notifications: request.notifications.map(fromTargetMessage) }),
    ...(expiresAt !== undefined && { expiresAtMs: timestampMs(expiresAt) }),
    ...(request.clearExpiresAt && { expiresAtMs: null }),
  };
}

/** Rounded up, so that "strictly before" holds for times between two milliseconds too. */
function beforeField(before: Timestamp | undefined): { readonly beforeMs?: number } {
  if (before === undefined) return {};
  return { beforeMs: Number(before.seconds) * 1_000 + Math.ceil(before.nanos / 1e6) };
}

function secretField(secret: string | null): { readonly notificationSecret?: string } {
  return secret === null ? {} : { notificationSecret: secret };
}
