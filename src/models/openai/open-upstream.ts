import { limits } from '../../domain/limits.ts';
import { type ChatModel, type ModelCatalog, ModelFailure } from '../../ports/model.ts';
import { createOpenAiModel } from './openai-model.ts';
import { retryRules as defaultRetryRules, type RetryRules } from './retry.ts';
import { type Upstream, type UpstreamModel, upstreamDefaults } from './upstream.ts';
import { UpstreamClient } from './upstream-client.ts';
import { openConnections } from './upstream-fetch.ts';

export interface UpstreamOptions {
  /** 0 to 1, for jitter. */
  readonly random?: () => number;
  readonly retryRules?: RetryRules;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
}

/** How long the server's own list of its models is believed. */
const listMaxAgeMs = 300_000;
const listTimeoutMs = 10_000;

/** Models that an upstream without a list of its own may be asked for; beyond them the oldest is forgotten. */
const openModelsMax = 1_000;

/**
 * Opens a chat-completions server. Without configured models it serves any id that it is asked for, and lists what
 * the server lists.
 */
export function openUpstream(upstream: Upstream, options: UpstreamOptions = {}): ModelCatalog {
  const { random = Math.random, retryRules = defaultRetryRules, now = () => performance.now() } = options;
  const connections = openConnections(upstream);
  const client = new UpstreamClient({
    baseURL: upstream.baseUrl,
    // The package insists on a key; servers that need none ignore it.
    apiKey: upstream.apiKey ?? 'none',
    organization: null,
    project: null,
    defaultHeaders: { ...upstream.headers },
    maxRetries: 0,
    timeout: upstream.firstByteTimeoutMs,
    logLevel: 'off',
    fetch: connections.fetch,
  });
  const models = new Map<string, ChatModel>();
  const toModel = (model: UpstreamModel) =>
    createOpenAiModel({ client, model, retries: upstream.retries, retryRules, random });
  for (const model of upstream.models ?? []) models.set(model.id, toModel(model));
  let listed: { readonly ids: readonly string[]; readonly atMs: number } | undefined;

  async function listServed(): Promise<readonly string[]> {
    if (listed !== undefined && now() - listed.atMs < listMaxAgeMs) return listed.ids;
    try {
      const page = await client.models.list({ timeout: listTimeoutMs });
      const ids = page.data.map(({ id }) => id).filter((id) => typeof id === 'string' && id !== '');
      listed = { ids, atMs: now() };
      return ids;
    } catch (cause) {
      throw new ModelFailure('unavailable', `${upstream.name} does not list its models`, cause);
    }
  }

  return {
    list: async () => (upstream.models === null ? listServed() : [...models.keys()]),

    find(id) {
      const known = models.get(id);
      if (known !== undefined || upstream.models !== null) return known;
      const model = toModel(unlistedModel(id));
      const oldest = models.size >= openModelsMax ? models.keys().next().value : undefined;
      if (oldest !== undefined) models.delete(oldest);
      models.set(id, model);
      return model;
    },

    close: () => connections.close(),
  };
}

function unlistedModel(id: string): UpstreamModel {
  const { contextTokens, completionParameter } = upstreamDefaults;
  return {
    id,
    upstreamId: id,
    contextTokens,
    completionTokens: limits.chat.completionTokensDefault,
    completionParameter,
    supportsTools: true,
    streamsUsage: true,
  };
}
