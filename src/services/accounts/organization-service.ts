import { ServiceError } from '../../domain/errors.ts';
import { chatModes, type Organization, organizationDefaults } from '../../domain/organization.ts';
import type { Page } from '../../ports/page.ts';
import { type AccountDependencies, newId } from './account-dependencies.ts';
import { modelId, pinnedSite, tokenPool, usageLimit } from './account-rules.ts';
import { recordChange } from './audit-service.ts';
import { flag, listOf, nullable, oneOf, readFields, refuse, text, wholeNumber } from './field-rules.ts';
import { assertModels } from './model-rules.ts';
import { checkedPage, type PageInput } from './page-rules.ts';

const rules = {
  name: text(1, 200),
  models: listOf(modelId),
  subscription: oneOf(['active', 'none']),
  trial: flag,
  suspended: flag,
  pinnedMode: nullable(oneOf(chatModes)),
  tokenPool: nullable(tokenPool),
  poolResetDay: wholeNumber(1, 31),
  usagePool: nullable(usageLimit),
  trackerSite: nullable(pinnedSite),
  trackerWrites: flag,
  wikiSite: nullable(pinnedSite),
  wikiWrites: flag,
};

/** Fields as a caller gives them; each is held to its rule. */
export type OrganizationInput = { readonly [Field in keyof typeof rules]?: unknown };

export interface OrganizationService {
  /** `by`: the administrator, a user id or `cli`. @throws `invalid_request` */
  create(input: OrganizationInput, by: string): Promise<Organization>;
  /** @throws `not_found` */
  get(id: string): Promise<Organization>;
  /** Changes the given fields. @throws `not_found`, `invalid_request` */
  update(id: string, input: OrganizationInput, by: string): Promise<Organization>;
  /** In order of creation. */
  list(page: PageInput): Promise<Page<Organization>>;
}

export function createOrganizationService(deps: AccountDependencies): OrganizationService {
  const { store, clock } = deps;
  return {
    async create(input, by) {
      const { name = refuse('name', 'is required'), ...fields } = readFields(rules, input);
      await assertModels(deps, fields.models);
      const now = clock.now();
      const organization: Organization = {
        id: newId(deps),
        name,
        ...organizationDefaults,
        ...fields,
        createdAtMs: now,
        updatedAtMs: now,
      };
      await store.organizations.create(organization);
      await recordChange(deps, {
        ...subject(organization.id),
        actor: by,
        action: 'organization.create',
        changes: { name, ...fields },
      });
      return organization;
    },

    async get(id) {
      return (await store.organizations.get(id)) ?? notFound(id);
    },

    async update(id, input, by) {
      const fields = readFields(rules, input);
      await assertModels(deps, fields.models);
      const patch = { ...fields, updatedAtMs: clock.now() };
      const organization = (await store.organizations.update(id, patch)) ?? notFound(id);
      await recordChange(deps, { ...subject(id), actor: by, action: 'organization.update', changes: fields });
      return organization;
    },

    list: async (page) => store.organizations.list({}, checkedPage(page)),
  };
}

function subject(id: string) {
  return { organizationId: id, subjectType: 'organization', subjectId: id } as const;
}

function notFound(id: string): never {
  throw new ServiceError('not_found', { detail: `There is no organization ${id}.` });
}
