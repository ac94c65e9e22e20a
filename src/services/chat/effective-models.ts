import type { TurnPrincipal } from '../../domain/chat.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ChatModel, ModelCatalog } from '../../ports/model.ts';

/**
 * Returns the ids of the models that the caller may use now, its default first: those that key, organization and actor
 * all allow and that are configured, in the order of the first of the three that names any. An empty list of one of
 * them means that it sets no limit.
 *
 * @throws `policy_lookup_failed`
 */
export async function effectiveModels(
  models: ModelCatalog,
  principal: TurnPrincipal,
): Promise<readonly string[]> {
  const [first, ...others] = allowLists(principal);
  if (first === undefined) return listModels(models);
  return first.filter((id) => others.every((list) => list.includes(id)) && models.find(id) !== undefined);
}

/**
 * Returns the requested model, or the caller's default.
 *
 * @throws `model_not_allowed`, `policy_lookup_failed`
 */
export async function chooseModel(
  models: ModelCatalog,
  principal: TurnPrincipal,
  requested: string | undefined,
): Promise<ChatModel> {
  if (requested !== undefined && allowLists(principal).every((list) => list.includes(requested))) {
    const model = models.find(requested);
    if (model !== undefined) return model;
  }
  const allowed = await effectiveModels(models, principal);
  const model = requested === undefined && allowed[0] !== undefined ? models.find(allowed[0]) : undefined;
  if (model !== undefined) return model;
  throw new ServiceError('model_not_allowed', {
    detail:
      requested === undefined
        ? 'No configured model is allowed for this key.'
        : 'The requested model is not among the allowed ones.',
    extra: { requested_model: requested ?? null, allowed_models: allowed },
  });
}

function allowLists({ apiKey, organization, actor }: TurnPrincipal): readonly (readonly string[])[] {
  return [apiKey.models, organization.models, actor.models].filter((list) => list.length > 0);
}

async function listModels(models: ModelCatalog): Promise<readonly string[]> {
  try {
    return await models.list();
  } catch (cause) {
    throw new ServiceError('policy_lookup_failed', { cause });
  }
}
