import type { AccountDependencies } from './account-dependencies.ts';
import { refuse } from './field-rules.ts';

/**
 * Holds model ids against the configured models and, for a key or user, against the organization's.
 *
 * @param field the one that the refusal names
 * @throws `invalid_request`
 */
export async function assertModels(
  { models }: Pick<AccountDependencies, 'models'>,
  ids: readonly string[] | undefined,
  organizationModels: readonly string[] = [],
  field: 'model' | 'models' = 'models',
): Promise<void> {
  if (ids === undefined || ids.length === 0) return;
  const configured = await models.list();
  const unknown = ids.filter((id) => configured.length > 0 && !configured.includes(id));
  if (unknown.length > 0) {
    refuse(field, `names ${unknown.join(', ')}; the configured models are ${configured.join(', ')}`);
  }
  const foreign = ids.filter((id) => organizationModels.length > 0 && !organizationModels.includes(id));
  if (foreign.length > 0) {
    refuse(field, `names ${foreign.join(', ')}; the organization's are ${organizationModels.join(', ')}`);
  }
}
