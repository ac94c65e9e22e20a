import { readFileSync } from 'node:fs';
import { ConfigError } from '../config/config-reader.ts';
import type { Config, Secrets } from '../config.ts';
import { createDemoCatalog } from '../models/demo/demo-model.ts';
import { joinCatalogs } from '../models/join-catalogs.ts';
import { parseModelsFile } from '../models/models-file.ts';
import { openUpstream } from '../models/openai/open-upstream.ts';
import { type Upstream, upstreamDefaults } from '../models/openai/upstream.ts';
import type { ModelCatalog } from '../ports/model.ts';
import type { Tokenizer } from '../ports/tokenizer.ts';
import { readSettingFile } from './read-setting-file.ts';

/**
 * Opens the model servers of MODELS_FILE, else the one of OPENAI_BASE_URL and OPENAI_API_KEY, else the demonstration model.
 *
 * @throws ConfigError when MODELS_FILE cannot be read or is not valid.
 */
export function openModels(config: Config, secrets: Secrets, tokenizer: Tokenizer): ModelCatalog {
  const upstreams =
    config.modelsFile === null ? upstreamOfSettings(config, secrets) : upstreamsOfFile(config.modelsFile);
  return upstreams.length === 0
    ? createDemoCatalog(tokenizer)
    : joinCatalogs(upstreams.map((upstream) => openUpstream(upstream)));
}

function upstreamsOfFile(path: string): readonly Upstream[] {
  const text = readSettingFile('MODELS_FILE', path);
  try {
    return parseModelsFile(text, (file) => readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError([(error as Error).message]);
  }
}

function upstreamOfSettings({ openaiBaseUrl }: Config, { openaiApiKey }: Secrets): readonly Upstream[] {
  if (openaiBaseUrl === null && openaiApiKey === null) return [];
  const baseUrl = openaiBaseUrl ?? 'https://api.openai.com/v1';
  const { retries, firstByteTimeoutMs, idleTimeoutMs } = upstreamDefaults;
  const name = new URL(baseUrl).host;
  return [
    {
      name,
      baseUrl,
      apiKey: openaiApiKey,
      headers: {},
      retries,
      firstByteTimeoutMs,
      idleTimeoutMs,
      models: null,
    },
  ];
}
