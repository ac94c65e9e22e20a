import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AdminService } from '../../../gen/service/admin/v1/admin_pb.ts';
import type { AccountServices } from '../../services/accounts/account-services.ts';
import {
  toApiKeyInput,
  toApiKeyUpdate,
  toConnectionInput,
  toOrganizationFilter,
  toOrganizationInput,
  toOrganizationUpdate,
  toPageInput,
  toUserInput,
  toUserUpdate,
} from './from-messages.ts';
import {
  toApiKeyMessage,
  toAuditEventMessage,
  toConnectionMessage,
  toOrganizationMessage,
  toPageMessage,
  toUserMessage,
} from './to-messages.ts';

/**
 * Answers AdminService.
 *
 * @param administratorOf Returns the id of the user who calls. Whether that user may administer was decided before.
 */
export function createAdminRpc(
  { organizations, users, apiKeys, connections, models, audit }: AccountServices,
  administratorOf: (context: HandlerContext) => string,
): ServiceImpl<typeof AdminService> {
  return {
    async createOrganization(request, context) {
      const created = await organizations.create(toOrganizationInput(request), administratorOf(context));
      return { organization: toOrganizationMessage(created) };
    },
    async listOrganizations(request) {
      return toPageMessage(await organizations.list(toPageInput(request)), toOrganizationMessage);
    },
    async getOrganization({ id }) {
      return { organization: toOrganizationMessage(await organizations.get(id)) };
    },
    async updateOrganization(request, context) {
      const by = administratorOf(context);
      const updated = await organizations.update(request.id, toOrganizationUpdate(request), by);
      return { organization: toOrganizationMessage(updated) };
    },

    async createUser(request, context) {
      return { user: toUserMessage(await users.create(toUserInput(request), administratorOf(context))) };
    },
    async listUsers(request) {
      return toPageMessage(
        await users.list(toOrganizationFilter(request), toPageInput(request)),
        toUserMessage,
      );
    },
    async getUser({ id }) {
      return { user: toUserMessage(await users.get(id)) };
    },
    async updateUser(request, context) {
      const updated = await users.update(request.id, toUserUpdate(request), administratorOf(context));
      return { user: toUserMessage(updated) };
    },

    async createApiKey(request, context) {
      const { key, apiKey } = await apiKeys.create(toApiKeyInput(request), administratorOf(context));
      return { id: apiKey.id, key, apiKey: toApiKeyMessage({ ...apiKey, ...unused }) };
    },
    async listApiKeys(request) {
      const page = await apiKeys.list(toOrganizationFilter(request), toPageInput(request));
      return toPageMessage(page, toApiKeyMessage);
    },
    async getApiKey({ id }) {
      return { apiKey: toApiKeyMessage(await apiKeys.get(id)) };
    },
    async updateApiKey(request, context) {
      const updated = await apiKeys.update(request.id, toApiKeyUpdate(request), administratorOf(context));
      return { apiKey: toApiKeyMessage(updated) };
    },
    async rotateApiKey({ id }, context) {
      const { key } = await apiKeys.rotate(id, administratorOf(context));
      return { id, key };
    },
    async revokeApiKey({ id }, context) {
      return { apiKey: toApiKeyMessage(await apiKeys.revoke(id, administratorOf(context))) };
    },

    async listModels() {
      const data = await models.list();
      return {
        data: data.map(({ id, contextTokens, completionTokens }) => ({
          id,
          contextTokens: BigInt(contextTokens),
          completionTokensMax: BigInt(completionTokens),
        })),
      };
    },

    async createConnection(request, context) {
      const by = administratorOf(context);
      const { connection, test } = await connections.create(toConnectionInput(request), by);
      return { connection: toConnectionMessage(connection), test };
    },
    async listConnections(request) {
      const page = await connections.list(toOrganizationFilter(request), toPageInput(request));
      return toPageMessage(page, toConnectionMessage);
    },
    async testConnection({ id }, context) {
      return { test: await connections.test(id, administratorOf(context)) };
    },
    async deleteConnection({ id }, context) {
      await connections.delete(id, administratorOf(context));
      return {};
    },

    async listAuditEvents(request) {
      const page = await audit.list(toOrganizationFilter(request), toPageInput(request));
      return toPageMessage(page, toAuditEventMessage);
    },
  };
}

/** The usage of a key that was just created. */
const unused = { requestsThisHour: 0, tokensThisCycle: 0 };
