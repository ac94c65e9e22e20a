import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { DecodeContext } from './decode-context.ts';
import { fieldDecoder } from './json-decoder.ts';

type AnyMessage = Message & Record<string, unknown>;

/** Sets the field that a path of names leads to from the texts of a path variable or of query parameters. */
export type TextBinder = (message: AnyMessage, texts: readonly string[], ctx: DecodeContext) => void;

/**
 * Returns the binder of a field path such as `page.limit`: names as in the proto or in JSON. Messages on the way are
 * made as needed; a repeated field takes every text, another one the last. Undefined when the path leads to no field
 * that a text can hold (an own message, a map, google.protobuf.Struct).
 */
export function textBinder(desc: DescMessage, path: readonly string[]): TextBinder | undefined {
  const [name, ...rest] = path;
  const field = desc.fields.find((candidate) => candidate.name === name || candidate.jsonName === name);
  if (field === undefined) return undefined;
  if (rest.length === 0) return leafBinder(field);
  if (field.fieldKind !== 'message' || !isOwnMessage(field.message)) return undefined;
  const inner = textBinder(field.message, rest);
  const { message: innerDesc, localName } = field;
  const oneof = field.oneof?.localName;
  return (
    inner &&
    ((message, texts, ctx) => {
      let target: unknown;
      if (oneof === undefined) {
        message[localName] ??= create(innerDesc);
        target = message[localName];
      } else {
        const member = message[oneof] as { case?: string; value?: unknown };
        target = member.case === localName ? member.value : create(innerDesc);
        message[oneof] = { case: localName, value: target };
      }
      inner(target as AnyMessage, texts, ctx);
    })
  );
}

function leafBinder(field: DescField): TextBinder | undefined {
  if (field.fieldKind === 'map' || (field.message !== undefined && !isTextMessage(field.message)))
    return undefined;
  const decode = fieldDecoder(field);
  const toJsonValue = jsonReader(field);
  const { localName, jsonName } = field;
  const oneof = field.oneof?.localName;
  return (message, texts, ctx) => {
    const values = texts.map(toJsonValue);
    const value = ctx.inside(jsonName, decode, field.fieldKind === 'list' ? values : values.at(-1));
    if (value === undefined) return;
    if (oneof === undefined) message[localName] = value;
    else message[oneof] = { case: localName, value };
  };
}

/** Reads a text as the JSON value that the field's decoder takes; what does not fit is left for it to refuse. */
function jsonReader(field: DescField): (text: string) => unknown {
  // The plus of an offset that nobody encoded has come as a blank.
  if (field.message?.typeName === 'google.protobuf.Timestamp')
    return (text) => text.replace(/ (?=\d\d:\d\d$)/, '+');
  const scalar =
    field.scalar ??
    (field.message && isWrapperDesc(field.message) ? field.message.fields[0].scalar : undefined);
  switch (scalar) {
    case undefined:
    case ScalarType.STRING:
    case ScalarType.BYTES:
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return (text) => text;
    case ScalarType.BOOL:
      return (text) => (text === 'true' ? true : text === 'false' ? false : text);
    default:
      return (text) => (/^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text);
  }
}

function isTextMessage(desc: DescMessage): boolean {
  return (
    isWrapperDesc(desc) ||
    desc.typeName === 'google.protobuf.Timestamp' ||
    desc.typeName === 'google.protobuf.Duration' ||
    desc.typeName === 'google.protobuf.FieldMask' ||
    desc.typeName === 'google.protobuf.Value'
  );
}

function isOwnMessage(desc: DescMessage): boolean {
  return !desc.typeName.startsWith('google.protobuf.');
}

/** Decodes the parameters of a query string that name fields of the message; all others are ignored. */
export type QueryDecoder = (message: AnyMessage, query: string, ctx: DecodeContext) => void;

/**
 * Returns the decoder of a method's query string.
 *
 * @param bound field paths, in names of the proto, that the path or the body binds and a parameter cannot set
 */
export function queryDecoder(desc: DescMessage, bound: ReadonlySet<string>): QueryDecoder {
  const binders = new Map<string, TextBinder | undefined>();
  const binderOf = (name: string): TextBinder | undefined => {
    if (!binders.has(name)) {
      // Names come from callers: only those that lead to a field are kept.
      const path = name.split('.');
      const binder = isBound(toProtoPath(desc, path), bound) ? undefined : textBinder(desc, path);
      if (binder === undefined) return undefined;
      binders.set(name, binder);
    }
    return binders.get(name);
  };
  return (message, query, ctx) => {
    const parameters = new URLSearchParams(query);
    for (const name of new Set(parameters.keys())) {
      binderOf(name)?.(message, parameters.getAll(name), ctx);
    }
  };
}

/** Writes a path of names, of the proto or of JSON, in names of the proto as far as they lead. */
function toProtoPath(desc: DescMessage | undefined, [name, ...rest]: readonly string[]): string[] {
  const field = desc?.fields.find((candidate) => candidate.name === name || candidate.jsonName === name);
  return name === undefined ? [] : [field?.name ?? name, ...toProtoPath(field?.message, rest)];
}

function isBound(path: readonly string[], bound: ReadonlySet<string>): boolean {
  return path.some((_, index) => bound.has(path.slice(0, index + 1).join('.')));
}
