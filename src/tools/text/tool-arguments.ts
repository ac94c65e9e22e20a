import type { JsonObject, JsonValue } from '../../domain/chat.ts';
import { limits } from '../../domain/limits.ts';
import { ToolFailure } from '../../ports/tool.ts';
import { cleanText, oneLine } from './clean-text.ts';
import { readDay } from './day.ts';

const valueChars = 200;

/** A JSON schema of an object that takes nothing else. */
export function objectSchema(
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = [],
): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function textSchema(description: string, maxLength = valueChars): JsonObject {
  return { type: 'string', description, minLength: 1, maxLength };
}

/** The body of what a tool writes: a text of several lines. */
export const bodySchema = textSchema(
  'plain text; empty lines part paragraphs, "- " begins a list entry, "# " a heading',
  limits.systems.writtenBodyChars,
);

/** The key of a part of a system, such as a project; of `keys` where there are only some. */
export function keySchema(part: string, example: string, keys: readonly string[]): JsonObject {
  const description = `key of a ${part}`;
  return keys.length === 0
    ? textSchema(`${description}, such as ${example}`)
    : { type: 'string', enum: keys, description };
}

/** What every search takes. */
export const pagingSchema: Readonly<Record<string, JsonObject>> = {
  limit: { type: 'integer', minimum: 1, maximum: limits.systems.rows, description: 'most rows; default 10' },
  page_token: textSchema('from the result before, with all other arguments the same', 8_192),
};

/** The words of the text argument of every search. */
export const termsSchema = textSchema(
  'words that all must occur; a phrase in double quotes. Plain words only, no query language',
  1_000,
);

/** The text of an argument in one line; empty when it is absent. */
export function lineOf(value: JsonValue | undefined, charsMax = valueChars): string {
  return typeof value === 'string' ? oneLine(value, charsMax) : '';
}

/** An optional argument, to be spread into a query: `{}` when it is absent or empty. */
export function optionalLine<Name extends string>(
  name: Name,
  value: JsonValue | undefined,
): { readonly [Key in Name]?: string } {
  const line = lineOf(value);
  return (line === '' ? {} : { [name]: line }) as { readonly [Key in Name]?: string };
}

/** @throws ToolFailure when the argument is no day. */
export function optionalDay<Name extends string>(
  name: Name,
  args: JsonObject,
  argument: string,
): { readonly [Key in Name]?: string } {
  const line = lineOf(args[argument]);
  return (line === '' ? {} : { [name]: readDay(line, argument) }) as { readonly [Key in Name]?: string };
}

/** @throws ToolFailure when nothing is left of it. */
export function requiredLine(args: JsonObject, name: string, charsMax = valueChars): string {
  const line = lineOf(args[name], charsMax);
  if (line === '') throw new ToolFailure(`${name} must not be empty`);
  return line;
}

/** A text of several lines. @throws ToolFailure when nothing is left of it. */
export function requiredText(args: JsonObject, name: string): string {
  const text = optionalText(args, name);
  if (text === '') throw new ToolFailure(`${name} must not be empty`);
  return text;
}

export function optionalText(args: JsonObject, name: string): string {
  const value = args[name];
  return typeof value === 'string' ? cleanText(value).trim() : '';
}

export function rowLimit(args: JsonObject): number {
  return typeof args.limit === 'number' ? args.limit : limits.systems.rowsDefault;
}
