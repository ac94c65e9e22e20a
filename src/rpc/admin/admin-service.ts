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

/** The services as far as an administrator may use them, and the id that the administrator's changes are kept under. */
export type Administration = AccountServices & { readonly by: string };

/**
 * Answers AdminService.
 *
 * @param administrationOf Returns what the user who calls may use. Whether that user may administer at all was decided before.
 */
export function createAdminRpc(
  administrationOf: (context: HandlerContext) => Administration,
): ServiceImpl<typeof AdminService> {
  return {
    async createOrganization(request, context) {
      const { organizations, by } = administrationOf(context);
      const created = await organizations.create(toOrganizationInput(request), by);
      return { organization: toOrganizationMessage(created) };
    },
    async listOrganizations(request, context) {
      const { organizations } = administrationOf(context);
      return toPageMessage(await organizations.list(toPageInput(request)), toOrganizationMessage);
    },
    async getOrganization({ id }, context) {
      const { organizations } = administrationOf(context);
      return { organization: toOrganizationMessage(await organizations.get(id)) };
    },
    async updateOrganization(request, context) {
      const { organizations, by } = administrationOf(context);
      const updated = await organizations.update(request.id, toOrganizationUpdate(request), by);
      return { organization: toOrganizationMessage(updated) };
    },

    async createUser(request, context) {
      const { users, by } = administrationOf(context);
      return { user: toUserMessage(await users.create(toUserInput(request), by)) };
    },
    async listUsers(request, context) {
      const { users } = administrationOf(context);
      return toPageMessage(
        await users.list(toOrganizationFilter(request), toPageInput(request)),
        toUserMessage,
      );
    },
    async getUser({ id }, context) {
      const { users } = administrationOf(context);
      return { user: toUserMessage(await users.get(id)) };
    },
    async updateUser(request, context) {
      const { users, by } = administrationOf(context);
      const updated = await users.update(request.id, toUserUpdate(request), by);
      return { user: toUserMessage(updated) };
    },

    async createApiKey(request, context) {
      const { apiKeys, by } = administrationOf(context);
      const { key, apiKey } = await apiKeys.create(toApiKeyInput(request), by);
      return { id: apiKey.id, key, apiKey: toApiKeyMessage({ ...apiKey, ...unused }) };
    },
    async listApiKeys(request, context) {
      const { apiKeys } = administrationOf(context);
      const page = await apiKeys.list(toOrganizationFilter(request), toPageInput(request));
      return toPageMessage(page, toApiKeyMessage);
    },
    async getApiKey({ id }, context) {
      const { apiKeys } = administrationOf(context);
      return { apiKey: toApiKeyMessage(await apiKeys.get(id)) };
    },
    async updateApiKey(request, context) {
      const { apiKeys, by } = administrationOf(context);
      const updated = await apiKeys.update(request.id, toApiKeyUpdate(request), by);
      return { apiKey: toApiKeyMessage(updated) };
    },
    async rotateApiKey({ id }, context) {
      const { apiKeys, by } = administrationOf(context);
      const { key } = await apiKeys.rotate(id, by);
      return { id, key };
    },
    async revokeApiKey({ id }, context) {
      const { apiKeys, by } = administrationOf(context);
      return { apiKey: toApiKeyMessage(await apiKeys.revoke(id, by)) };
    },

    async listModels(_, context) {
      const { models } = administrationOf(context);
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
      const { connections, by } = administrationOf(context);
      const { connection, test } = await connections.create(toConnectionInput(request), by);
      return { connection: toConnectionMessage(connection), test };
    },
    async listConnections(request, context) {
      const { connections } = administrationOf(context);
      const page = await connections.list(toOrganizationFilter(request), toPageInput(request));
      return toPageMessage(page, toConnectionMessage);
    },
    async testConnection({ id }, context) {
      const { connections, by } = administrationOf(context);
      return { test: await connections.test(id, by) };
    },
    async deleteConnection({ id }, context) {
      const { connections, by } = administrationOf(context);
      await connections.delete(id, by);
      return {};
    },

    async listAuditEvents(request, context) {
      const { audit } = administrationOf(context);
      const page = await audit.list(toOrganizationFilter(request), toPageInput(request));
      return toPageMessage(page, toAuditEventMessage);
    },
  };
}

/** The usage of a key that was just created. */
const unused = { requestsThisHour: 0, tokensThisCycle: 0 };
