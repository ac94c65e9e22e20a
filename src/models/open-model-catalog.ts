import type { ModelCatalog } from '../ports/model.ts';
import type { Tokenizer } from '../ports/tokenizer.ts';
import { createDemoCatalog } from './demo/demo-model.ts';
import { joinCatalogs } from './join-catalogs.ts';
import { parseModelsFile } from './models-file.ts';
import { type Upstream, upstreamDefaults } from './openai/upstream.ts';

export interface ModelSettings {
  /** Text of MODELS_FILE; null: none. It comes before the other two. */
  readonly modelsFile: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** Returns the text of a file that MODELS_FILE names. */
  readonly readFile: (path: string) => string;
}

const openAiBaseUrl = 'https://api.openai.com/v1';

/**
 * Opens the configured models; the demonstration model when there are none.
 *
 * @throws Error when MODELS_FILE is at fault, naming every fault.
 */
export async function openModelCatalog(settings: ModelSettings, tokenizer: Tokenizer): Promise<ModelCatalog> {
  const upstreams = upstreamsOf(settings);
  if (upstreams.length === 0) return createDemoCatalog(tokenizer);
  // Loading the package takes 0.15 s, which the demonstration need not wait for.
  const { openUpstream } = await import('./openai/open-upstream.ts');
  return joinCatalogs(upstreams.map((upstream) => openUpstream(upstream)));
}

function upstreamsOf({ modelsFile, baseUrl, apiKey, readFile }: ModelSettings): readonly Upstream[] {
  if (modelsFile !== null) return parseModelsFile(modelsFile, readFile);
  if (baseUrl === null && apiKey === null) return [];
  const { retries, firstByteTimeoutMs, idleTimeoutMs } = upstreamDefaults;
  return [
    {
      name: 'OPENAI_BASE_URL',
      baseUrl: (baseUrl ?? openAiBaseUrl).replace(/\/+$/, ''),
      apiKey,
      headers: {},
      models: null,
      retries,
      firstByteTimeoutMs,
      idleTimeoutMs,
    },
  ];
}
