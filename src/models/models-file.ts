import type { JsonValue } from '../domain/chat.ts';
import { limits } from '../domain/limits.ts';
import { type Upstream, type UpstreamModel, upstreamDefaults } from './openai/upstream.ts';

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * Reads a MODELS_FILE:
 *
 * ```json
 * {
 *   "upstreams": [
 *     {
 *       "name": "openai",
 *       "base_url": "https://api.openai.com/v1",
 *       "api_key_file": "/run/secrets/openai",
 *       "headers": {},
 *       "retries": 2,
 *       "first_byte_timeout_ms": 120000,
 *       "idle_timeout_ms": 60000,
 *       "models": [
 *         {
 *           "id": "large",
 *           "upstream_id": "gpt-4.1",
 *           "context_tokens": 128000,
 *           "completion_tokens": 4096,
 *           "completion_parameter": "max_tokens",
 *           "tools": true,
 *           "stream_usage": true
 *         }
 *       ]
 *     }
 *   ]
 * }
 * ```
 *
 * Required are `base_url` and, in a model, `id`; the values above are the defaults, except that `name` is the host and
 * `upstream_id` the id. `api_key` gives the key itself in place of a file that holds nothing else; without either none is
 * sent. Without `models`, every model that the server has may be used. Unknown fields are refused.
 *
 * @param readFile Returns the text of a file that the document names.
 * @throws Error whose message names every fault with its JSON pointer.
 */
export function parseModelsFile(text: string, readFile: (path: string) => string): readonly Upstream[] {
  const faults: string[] = [];
  let document: JsonValue;
  try {
    document = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new Error(`MODELS_FILE is not valid JSON: ${(error as Error).message}`);
  }
  const reader = createReader(faults);
  const root = reader.object(document, '', ['upstreams']);
  const upstreams = reader
    .array(root.upstreams, '/upstreams')
    .map((value, index) => readUpstream(reader, value, `/upstreams/${index}`, readFile));
  if (upstreams.length === 0) faults.push('/upstreams: at least one is needed');
  const ids = upstreams.flatMap(({ models }) => (models ?? []).map(({ id }) => id));
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) {
    faults.push(`/upstreams: the model ${JSON.stringify(id)} stands there twice`);
  }
  if (faults.length > 0) throw new Error(`MODELS_FILE: ${faults.join('; ')}`);
  return upstreams;
}

const upstreamFields = [
  'name',
  'base_url',
  'api_key',
  'api_key_file',
  'headers',
  'retries',
  'first_byte_timeout_ms',
  'idle_timeout_ms',
  'models',
];

function readUpstream(
  reader: Reader,
  value: JsonValue,
  at: string,
  readFile: (path: string) => string,
): Upstream {
  const fields = reader.object(value, at, upstreamFields);
  const baseUrl = reader.url(fields.base_url, `${at}/base_url`);
  const keyFile = reader.text(fields.api_key_file, `${at}/api_key_file`, null);
  const keyFromFile = keyFile === null ? null : reader.file(keyFile, `${at}/api_key_file`, readFile);
  const headers = reader.object(fields.headers ?? {}, `${at}/headers`);
  for (const [name, header] of Object.entries(headers)) reader.text(header, `${at}/headers/${name}`, null);
  const { retries, firstByteTimeoutMs, idleTimeoutMs } = upstreamDefaults;
  return {
    name: reader.text(fields.name, `${at}/name`, null) ?? (URL.parse(baseUrl)?.host || 'upstream'),
    baseUrl,
    apiKey: reader.text(fields.api_key, `${at}/api_key`, null) ?? keyFromFile,
    headers: headers as Readonly<Record<string, string>>,
    retries: reader.integer(fields.retries, `${at}/retries`, 0, 10, retries),
    firstByteTimeoutMs: reader.integer(
      fields.first_byte_timeout_ms,
      `${at}/first_byte_timeout_ms`,
      1,
      3_600_000,
      firstByteTimeoutMs,
    ),
    idleTimeoutMs: reader.integer(
      fields.idle_timeout_ms,
      `${at}/idle_timeout_ms`,
      1,
      3_600_000,
      idleTimeoutMs,
    ),
    models:
      fields.models === undefined
        ? null
        : reader
            .array(fields.models, `${at}/models`)
            .map((model, index) => readModel(reader, model, `${at}/models/${index}`)),
  };
}

const modelFields = [
  'id',
  'upstream_id',
  'context_tokens',
  'completion_tokens',
  'completion_parameter',
  'tools',
  'stream_usage',
];

function readModel(reader: Reader, value: JsonValue, at: string): UpstreamModel {
  const fields = reader.object(value, at, modelFields);
  const id = reader.text(fields.id, `${at}/id`);
  const contextTokens = reader.integer(
    fields.context_tokens,
    `${at}/context_tokens`,
    256,
    100_000_000,
    upstreamDefaults.contextTokens,
  );
  const completionTokens = reader.integer(
    fields.completion_tokens,
    `${at}/completion_tokens`,
    1,
    contextTokens - 1,
    Math.min(limits.chat.completionTokensDefault, Math.floor(contextTokens / 2)),
  );
  const parameter = reader.text(fields.completion_parameter, `${at}/completion_parameter`, null);
  if (parameter !== null && parameter !== 'max_tokens' && parameter !== 'max_completion_tokens') {
    reader.fault(`${at}/completion_parameter`, 'must be max_tokens or max_completion_tokens');
  }
  return {
    id,
    upstreamId: reader.text(fields.upstream_id, `${at}/upstream_id`, null) ?? id,
    contextTokens,
    completionTokens,
    completionParameter:
      parameter === 'max_completion_tokens' ? parameter : upstreamDefaults.completionParameter,
    supportsTools: reader.flag(fields.tools, `${at}/tools`, true),
    streamsUsage: reader.flag(fields.stream_usage, `${at}/stream_usage`, true),
  };
}

/** Reads values, noting each fault with its place and going on with something harmless. */
function createReader(faults: string[]) {
  const fault = (at: string, problem: string) => void faults.push(`${at || '/'}: ${problem}`);

  function text(value: JsonValue | undefined, at: string): string;
  function text(value: JsonValue | undefined, at: string, absent: null): string | null;
  function text(value: JsonValue | undefined, at: string, absent?: null): string | null {
    if (value === undefined && absent === null) return null;
    if (typeof value === 'string' && value !== '') return value;
    fault(at, 'must be a non-empty string');
    return '';
  }

  return {
    fault,
    text,
    object(value: JsonValue | undefined, at: string, known?: readonly string[]): Fields {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        fault(at, 'must be an object');
        return {};
      }
      for (const name of Object.keys(value)) {
        if (known !== undefined && !known.includes(name)) fault(`${at}/${name}`, 'is not known');
      }
      return value as Fields;
    },
    array(value: JsonValue | undefined, at: string): readonly JsonValue[] {
      if (Array.isArray(value)) return value as readonly JsonValue[];
      fault(at, 'must be an array');
      return [];
    },
    integer(value: JsonValue | undefined, at: string, least: number, most: number, absent: number): number {
      if (value === undefined) return absent;
      if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) {
        return value as number;
      }
      fault(at, `must be an integer from ${least} to ${most}`);
      return absent;
    },
    file(path: string, at: string, readFile: (path: string) => string): string | null {
      try {
        return readFile(path).trim();
      } catch (error) {
        fault(at, (error as Error).message);
        return null;
      }
    },
    flag(value: JsonValue | undefined, at: string, absent: boolean): boolean {
      if (value === undefined || typeof value === 'boolean') return value ?? absent;
      fault(at, 'must be true or false');
      return absent;
    },
    url(value: JsonValue | undefined, at: string): string {
      const address = typeof value === 'string' ? URL.parse(value) : null;
      if (address !== null && /^https?:$/.test(address.protocol)) return address.href.replace(/\/+$/, '');
      fault(at, 'must be an http or https URL');
      return '';
    },
  };
}

type Reader = ReturnType<typeof createReader>;
