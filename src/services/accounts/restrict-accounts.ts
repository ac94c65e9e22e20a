import { ServiceError } from '../../domain/errors.ts';
import { isOperator } from '../../domain/operator.ts';
import type { User } from '../../domain/organization.ts';
import { sessionError } from '../../domain/session-errors.ts';
import type { Page } from '../../ports/page.ts';
import type { AccountServices } from './account-services.ts';
import { jsonNameOf, refuse } from './field-rules.ts';
import type { OrganizationInput } from './organization-service.ts';
import { checkedPage, type PageInput } from './page-rules.ts';

/** What an organization is sold: its own administrators read it and do not set it. */
const operatorFields = [
  'models',
  'subscription',
  'trial',
  'suspended',
  'tokenPool',
  'poolResetDay',
  'usagePool',
] as const satisfies readonly (keyof OrganizationInput)[];

/** Kinds of connections that open files or raw sockets where the service runs, inside the operator's network. */
const operatorKinds: ReadonlySet<unknown> = new Set(['sqlite', 'postgres', 'mysql', 'imap']);

/**
 * Returns the services as an administrator may use them: all of them in the operator's organization; in any other, on
 * that organization's records alone. What belongs to another organization is answered as if it did not exist. What
 * their organization is sold, and connections into the operator's own network, are the operator's to set.
 */
export function restrictAccounts(services: AccountServices, administrator: User): AccountServices {
  if (isOperator(administrator)) return services;
  const own = administrator.organizationId;
  return {
    organizations: ownOrganization(services, own),
    users: ownUsers(services, own),
    apiKeys: ownApiKeys(services, own),
    connections: ownConnections(services, own),
    models: ownModels(services, own),
    audit: { list: (filter, page) => ownPage(own, filter, page, services.audit.list) },
  };
}

function ownOrganization({ organizations }: AccountServices, own: string): AccountServices['organizations'] {
  return {
    create: async () => {
      throw sessionError('OPERATOR_REQUIRED', { hint: ': create organizations' });
    },
    get: async (id) => (id === own ? organizations.get(id) : missing('organization', id)),
    async update(id, input, by) {
      if (id !== own) missing('organization', id);
      const refused = operatorFields.filter((field) => input[field] !== undefined).map(jsonNameOf);
      if (refused.length > 0)
        throw sessionError('OPERATOR_REQUIRED', { hint: `: set ${refused.join(', ')}` });
      return organizations.update(id, input, by);
    },
    async list(page) {
      const { cursor } = checkedPage(page);
      return { data: cursor === undefined ? [await organizations.get(own)] : [] };
    },
  };
}

function ownUsers({ users }: AccountServices, own: string): AccountServices['users'] {
  const get = onlyOwn(own, 'user', users.get);
  return {
    async create(input, by) {
      assertOwn(own, input.organizationId);
      return users.create(input, by);
    },
    get,
    async update(id, input, by) {
      await get(id);
      return users.update(id, input, by);
    },
    list: (filter, page) => ownPage(own, filter, page, users.list),
  };
}

function ownApiKeys({ apiKeys }: AccountServices, own: string): AccountServices['apiKeys'] {
  const get = onlyOwn(own, 'key', apiKeys.get);
  return {
    async create(input, by) {
      assertOwn(own, input.organizationId);
      return apiKeys.create(input, by);
    },
    get,
    async update(id, input, by) {
      await get(id);
      return apiKeys.update(id, input, by);
    },
    async rotate(id, by) {
      await get(id);
      return apiKeys.rotate(id, by);
    },
    async revoke(id, by) {
      await get(id);
      return apiKeys.revoke(id, by);
    },
    list: (filter, page) => ownPage(own, filter, page, apiKeys.list),
  };
}

function ownConnections(
  { connections, users }: AccountServices,
  own: string,
): AccountServices['connections'] {
  const get = onlyOwn(own, 'connection', connections.get);
  return {
    async create(input, by) {
      assertOwn(own, input.organizationId);
      if (input.actorId !== undefined) await assertOwnActor(users, own, String(input.actorId));
      if (operatorKinds.has(input.kind)) {
        throw sessionError('OPERATOR_REQUIRED', { hint: `: create ${input.kind} connections` });
      }
      return connections.create(input, by);
    },
    get,
    async test(id, by) {
      await get(id);
      return connections.test(id, by);
    },
    async delete(id, by) {
      await get(id);
      return connections.delete(id, by);
    },
    list: (filter, page) => ownPage(own, filter, page, connections.list),
  };
}

function ownModels({ models, organizations }: AccountServices, own: string): AccountServices['models'] {
  return {
    async list() {
      const { models: allowed } = await organizations.get(own);
      const all = await models.list();
      return allowed.length === 0 ? all : all.filter(({ id }) => allowed.includes(id));
    },
  };
}

/** Returns a `get` to which another organization's record is as good as none. */
function onlyOwn<T extends { readonly organizationId: string }>(
  own: string,
  kind: string,
  get: (id: string) => Promise<T>,
): (id: string) => Promise<T> {
  return async (id) => {
    const record = await get(id);
    return record.organizationId === own ? record : missing(kind, id);
  };
}

/** Lists the organization's own records; of a filter for another's there are none. */
async function ownPage<T, Filter extends { readonly organizationId?: string }>(
  own: string,
  filter: Filter,
  page: PageInput,
  list: (filter: Filter, page: PageInput) => Promise<Page<T>>,
): Promise<Page<T>> {
  const { organizationId = own } = filter;
  if (organizationId === own) return list({ ...filter, organizationId }, page);
  checkedPage(page);
  return { data: [] };
}

function assertOwn(own: string, organizationId: unknown): void {
  if (organizationId !== undefined && organizationId !== own) {
    refuse('organizationId', 'names no organization');
  }
}

async function assertOwnActor(users: AccountServices['users'], own: string, actorId: string): Promise<void> {
  const actor = await users.get(actorId).catch((error: unknown) => {
    if (error instanceof ServiceError && error.slug === 'not_found') return undefined;
    throw error;
  });
  if (actor?.organizationId !== own) refuse('actorId', 'names no user');
}

/** The words of the services themselves, so that the two cannot be told apart. */
function missing(kind: string, id: string): never {
  throw new ServiceError('not_found', { detail: `There is no ${kind} ${id}.` });
}
