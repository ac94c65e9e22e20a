import { create, type DescMessage, fromJson, type JsonValue, type Message } from '@bufbuild/protobuf';
import { ListValueSchema, TimestampSchema, type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import type { DecodeContext } from './decode-context.ts';
import type { Decoder } from './scalar-json.ts';
import { parseTimestamp } from './timestamp.ts';

/**
 * Returns the decoder of a message whose JSON protobuf defines itself (ProtoJSON), else undefined. A
 * google.protobuf.Struct passes as the plain object that it is, without a copy.
 */
export function wellKnownDecoder(desc: DescMessage): Decoder | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Struct':
      return decodeStruct;
    case 'google.protobuf.Value':
      return (json, ctx) => (ctx.isShallow(json) ? toValue(json) : ctx.reject('is nested too deeply'));
    case 'google.protobuf.ListValue':
      return (json, ctx) => {
        if (!Array.isArray(json)) return ctx.reject('must be an array');
        if (!ctx.isShallow(json)) return ctx.reject('is nested too deeply');
        return create(ListValueSchema, { values: json.map(toValue) });
      };
    case 'google.protobuf.Timestamp':
      return decodeTimestamp;
    case 'google.protobuf.Duration':
      return protoJsonDecoder(desc, 'must be a duration such as "1.5s"');
    case 'google.protobuf.FieldMask':
      return protoJsonDecoder(desc, 'must be field names joined by commas');
    case 'google.protobuf.Any':
      return (_json, ctx) => ctx.reject('is not accepted here');
    default:
      return undefined;
  }
}

function decodeStruct(json: unknown, ctx: DecodeContext): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return ctx.reject('must be an object');
  return ctx.isShallow(json) ? json : ctx.reject('is nested too deeply');
}

function decodeTimestamp(json: unknown, ctx: DecodeContext): Message | undefined {
  const parts = typeof json === 'string' ? parseTimestamp(json) : undefined;
  return parts === undefined
    ? ctx.reject('must be an ISO 8601 date and time with an offset')
    : create(TimestampSchema, parts);
}

/** Cells come by the thousand, so that the commonest are made without create(). */
function toValue(json: unknown): Value {
  switch (typeof json) {
    case 'string':
      return { $typeName: 'google.protobuf.Value', kind: { case: 'stringValue', value: json } };
    case 'number':
      return { $typeName: 'google.protobuf.Value', kind: { case: 'numberValue', value: json } };
    default:
      return fromJson(ValueSchema, json as JsonValue);
  }
}

function protoJsonDecoder(desc: DescMessage, requirement: string): Decoder {
  return (json, ctx) => {
    try {
      return typeof json === 'string' ? fromJson(desc, json) : ctx.reject(requirement);
    } catch {
      return ctx.reject(requirement);
    }
  };
}
