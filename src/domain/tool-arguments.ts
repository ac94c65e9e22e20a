import type { JsonObject, JsonValue } from './chat.ts';
import { limits } from './limits.ts';

/** Deepest nesting of arguments. */
const depthMax = 32;

export type ParsedArguments =
  | { readonly ok: true; readonly args: JsonObject }
  /** `problem` is a sentence for the model. */
  | { readonly ok: false; readonly problem: string; readonly args: JsonObject };

/**
 * Reads the arguments of a tool call as the model wrote them and holds them against the tool's schema.
 *
 * Of JSON Schema (draft 2020-12) it knows type, enum, const, properties, required, additionalProperties (false), items,
 * minItems, maxItems, minLength, maxLength, minimum and maximum; other keywords are not checked.
 */
export function parseToolArguments(text: string, schema: JsonObject): ParsedArguments {
  if (text.length > limits.chat.toolArgumentsChars) return refused('the arguments are too long');
  let value: JsonValue;
  try {
    value = text.trim() === '' ? {} : (JSON.parse(text) as JsonValue);
  } catch (error) {
    return refused(`the arguments are not valid JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) return refused('the arguments must be a JSON object');
  if (isDeeperThan(value, depthMax)) return refused('the arguments are nested too deeply');
  const problem = findProblem(value, schema, 'arguments');
  return problem === undefined ? { ok: true, args: value } : { ok: false, problem, args: value };
}

function refused(problem: string): ParsedArguments {
  return { ok: false, problem, args: {} };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner: JsonValue) => isDeeperThan(inner, depth - 1));
}

function findProblem(value: JsonValue, schema: JsonObject, path: string): string | undefined {
  const { type, enum: allowed, const: only } = schema;
  if (type !== undefined && !typesOf(type).some((name) => hasType(value, name))) {
    return `${path} must be of type ${typesOf(type).join(' or ')}`;
  }
  if (Array.isArray(allowed) && !allowed.includes(value as string)) {
    return `${path} must be one of ${JSON.stringify(allowed)}`;
  }
  if (only !== undefined && value !== only) return `${path} must be ${JSON.stringify(only)}`;
  if (typeof value === 'string') return rangeProblem(value.length, schema, 'Length', `the length of ${path}`);
  if (typeof value === 'number') return rangeProblem(value, schema, 'imum', path);
  if (Array.isArray(value)) return arrayProblem(value, schema, path);
  return isObject(value) ? objectProblem(value, schema, path) : undefined;
}

function typesOf(type: JsonValue): readonly string[] {
  return (Array.isArray(type) ? type : [type]) as readonly string[];
}

function hasType(value: JsonValue, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function rangeProblem(
  size: number,
  schema: JsonObject,
  suffix: 'Length' | 'Items' | 'imum',
  what: string,
): string | undefined {
  const least = schema[`min${suffix}`];
  const most = schema[`max${suffix}`];
  if (typeof least === 'number' && size < least) return `${what} must be at least ${least}`;
  if (typeof most === 'number' && size > most) return `${what} must be at most ${most}`;
  return undefined;
}

function arrayProblem(value: readonly JsonValue[], schema: JsonObject, path: string): string | undefined {
  const problem = rangeProblem(value.length, schema, 'Items', `the number of ${path}`);
  const { items } = schema;
  if (problem !== undefined || !isObject(items)) return problem;
  return firstProblem(value, (item, index) => findProblem(item, items, `${path}[${index}]`));
}

function objectProblem(value: JsonObject, schema: JsonObject, path: string): string | undefined {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : [];
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing} is required`;
  return firstProblem(Object.entries(value), ([name, member]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isObject(inner)) return findProblem(member, inner, `${path}.${name}`);
    return schema.additionalProperties === false ? `${path}.${name} is not known` : undefined;
  });
}

function firstProblem<T>(
  items: readonly T[],
  problemOf: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
