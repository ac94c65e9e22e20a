import { ServiceError } from '../../domain/errors.ts';
import type { User } from '../../domain/organization.ts';
import type { Page } from '../../ports/page.ts';
import { StoreConflict } from '../../ports/store.ts';
import { type AccountDependencies, newId } from './account-dependencies.ts';
import { emailAddress, modelId, password, usageLimit } from './account-rules.ts';
import { recordChange } from './audit-service.ts';
import { flag, listOf, nullable, oneOf, readFields, refuse, text } from './field-rules.ts';
import { assertModels } from './model-rules.ts';
import { checkedPage, type PageInput } from './page-rules.ts';

const updateRules = {
  email: emailAddress,
  name: text(1, 200),
  /** Null: the user cannot sign in. */
  password: nullable(password),
  role: oneOf(['admin', 'member']),
  active: flag,
  usageLimit: nullable(usageLimit),
  models: listOf(modelId),
};

const createRules = { ...updateRules, organizationId: text(1, 200) };

export type UserCreateInput = { readonly [Field in keyof typeof createRules]?: unknown };
export type UserUpdateInput = { readonly [Field in keyof typeof updateRules]?: unknown };

export interface UserService {
  /** `by`: the administrator, a user id or `cli`. @throws `invalid_request` */
  create(input: UserCreateInput, by: string): Promise<User>;
  /** @throws `not_found` */
  get(id: string): Promise<User>;
  /**
   * Changes the given fields. Another password, and making the user inactive, sign the user out everywhere.
   *
   * @throws `not_found`, `invalid_request`
   */
  update(id: string, input: UserUpdateInput, by: string): Promise<User>;
  /** In order of creation. */
  list(filter: { organizationId?: string }, page: PageInput): Promise<Page<User>>;
}

export function createUserService(deps: AccountDependencies): UserService {
  const { store, clock, passwords } = deps;

  async function get(id: string): Promise<User> {
    return (await store.users.get(id)) ?? notFound(id);
  }

  return {
    async create(input, by) {
      const { password: secret, ...given } = readFields(createRules, input);
      const { organizationId = refuse('organizationId', 'is required') } = given;
      const { email = refuse('email', 'is required'), name = refuse('name', 'is required') } = given;
      const organization = await store.organizations.get(organizationId);
      if (organization === undefined) refuse('organizationId', 'names no organization');
      await assertModels(deps, given.models, organization.models);
      const now = clock.now();
      const user: User = {
        id: newId(deps),
        role: 'member',
        active: true,
        passwordHash: secret ? await passwords.hash(secret) : null,
        usageLimit: null,
        models: [],
        ...given,
        organizationId,
        email,
        name,
        createdAtMs: now,
        updatedAtMs: now,
      };
      await store.users.create(user).catch(refuseTaken);
      const changes = { ...given, ...(secret && { password: 'set' }) };
      await recordChange(deps, { ...subject(user), actor: by, action: 'user.create', changes });
      return user;
    },

    get,

    async update(id, input, by) {
      const { password: secret, ...fields } = readFields(updateRules, input);
      if (fields.models !== undefined) {
        const organization = await store.organizations.get((await get(id)).organizationId);
        await assertModels(deps, fields.models, organization?.models);
      }
      const patch = {
        ...fields,
        ...(secret !== undefined && {
          passwordHash: secret === null ? null : await passwords.hash(secret),
        }),
        updatedAtMs: clock.now(),
      };
      const user = (await store.users.update(id, patch).catch(refuseTaken)) ?? notFound(id);
      // The record alone refuses them from now on; this is for the case that it is changed back.
      if (secret !== undefined || fields.active === false) await store.sessions.deleteOfUser(id, 0);
      const changes = {
        ...fields,
        ...(secret !== undefined && { password: secret === null ? 'removed' : 'set' }),
      };
      await recordChange(deps, { ...subject(user), actor: by, action: 'user.update', changes });
      return user;
    },

    list: async (filter, page) => store.users.list(filter, checkedPage(page)),
  };
}

function subject(user: User) {
  return { organizationId: user.organizationId, subjectType: 'user', subjectId: user.id } as const;
}

function refuseTaken(error: unknown): never {
  if (error instanceof StoreConflict && error.field === 'email') refuse('email', 'is taken by another user');
  throw error;
}

function notFound(id: string): never {
  throw new ServiceError('not_found', { detail: `There is no user ${id}.` });
}
