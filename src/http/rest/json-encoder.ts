import {
  create,
  type DescField,
  type DescMessage,
  isFieldSet,
  type JsonValue,
  type Message,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { isWrapperDesc, type Timestamp } from '@bufbuild/protobuf/wkt';
import { taggedUnionOf } from '../../rpc/descriptor-rules.ts';
import { enumJsonNames } from '../../rpc/enum-json-name.ts';
import { formatTimestamp } from './timestamp.ts';

/** Writes a value of a message as JSON text. */
export type Encoder = (value: unknown) => string;

type AnyMessage = Message & Record<string, unknown>;

const encoders = new WeakMap<DescMessage, Encoder>();

/**
 * Returns the encoder of a message, compiled from its descriptor: every field is written, absent messages and absent
 * optional values as null, empty lists as `[]`, 64-bit integers as exact numbers, enums by their JSON names,
 * timestamps in UTC with milliseconds, tagged unions flat. An init shape is completed first.
 */
export function messageEncoder(desc: DescMessage): Encoder {
  const known = encoders.get(desc);
  if (known !== undefined) return known;
  // Registered before it is compiled, since a message may hold itself.
  let compiled: Encoder | undefined;
  const encoder: Encoder = (value) => {
    compiled ??= wellKnownEncoder(desc) ?? compileMessage(desc);
    return compiled(value);
  };
  encoders.set(desc, encoder);
  return encoder;
}

/** Returns the encoder of one field of a message, taking the message. */
export function fieldEncoder(field: DescField): Encoder {
  const encode = valueEncoder(field);
  const { localName } = field;
  const oneof = field.oneof?.localName;
  if (oneof !== undefined) {
    return (message) => {
      const member = (message as AnyMessage)[oneof] as { case?: string; value?: unknown };
      return member.case === localName ? encode(member.value) : 'null';
    };
  }
  if (field.fieldKind === 'scalar' || field.fieldKind === 'enum') {
    const isOptional = field.proto.proto3Optional;
    if (isOptional) {
      return (message) =>
        isFieldSet(message as AnyMessage, field) ? encode((message as AnyMessage)[localName]) : 'null';
    }
  }
  return (message) => {
    const value = (message as AnyMessage)[localName];
    return value === undefined ? 'null' : encode(value);
  };
}

function compileMessage(desc: DescMessage): Encoder {
  const encodeMembers = compileMembers(desc);
  return (value) => `{${encodeMembers(value)}}`;
}

/** Writes a message's members without the braces around them. */
function compileMembers(desc: DescMessage): Encoder {
  const union = taggedUnionOf(desc);
  const parts: Encoder[] = [];
  if (union !== undefined) {
    const members = new Map(
      union.oneof.fields.map((field) => [field.localName, memberEncoder(union.tag, field)]),
    );
    const name = union.oneof.localName;
    parts.push((message) => {
      const { case: set, value } = (message as AnyMessage)[name] as { case?: string; value?: unknown };
      const encode = set === undefined ? undefined : members.get(set);
      return encode === undefined ? `${JSON.stringify(union.tag)}:null` : encode(value);
    });
  }
  for (const field of desc.fields) {
    if (union !== undefined && field.oneof === union.oneof) continue;
    const key = `${JSON.stringify(field.jsonName)}:`;
    const encode = fieldEncoder(field);
    parts.push((message) => key + encode(message));
  }
  return (value) => {
    const message = complete(desc, value);
    let text = '';
    for (const part of parts) text += text === '' ? part(message) : `,${part(message)}`;
    return text;
  };
}

function memberEncoder(tag: string, field: DescField): Encoder {
  const head = `${JSON.stringify(tag)}:${JSON.stringify(field.jsonName)}`;
  if (field.fieldKind !== 'message' || wellKnownEncoder(field.message) !== undefined) {
    const encode = valueEncoder(field);
    return (value) => `${head},${JSON.stringify(field.jsonName)}:${encode(value)}`;
  }
  const encodeMembers = compileMembers(field.message);
  return (value) => {
    const members = encodeMembers(value);
    return members === '' ? head : `${head},${members}`;
  };
}

function complete(desc: DescMessage, value: unknown): unknown {
  return (value as AnyMessage).$typeName === undefined
    ? create(desc, value as Record<string, unknown>)
    : value;
}

function valueEncoder(field: DescField): Encoder {
  switch (field.fieldKind) {
    case 'list': {
      const encode = elementEncoder(field);
      return (list) => {
        const entries = list as readonly unknown[];
        let text = '[';
        for (let index = 0; index < entries.length; index++)
          text += (index === 0 ? '' : ',') + encode(entries[index]);
        return `${text}]`;
      };
    }
    case 'map': {
      const encode = elementEncoder(field);
      return (map) =>
        `{${Object.entries(map as object)
          .map(([key, value]) => `${JSON.stringify(key)}:${encode(value)}`)
          .join(',')}}`;
    }
    default:
      return elementEncoder(field);
  }
}

function elementEncoder(field: DescField): Encoder {
  if (field.enum !== undefined) {
    const names = new Map(
      [...enumJsonNames(field.enum)].map(([number, name]) => [number, JSON.stringify(name)]),
    );
    return (value) => names.get(value as number) ?? (value === 0 ? 'null' : String(value));
  }
  if (field.message !== undefined) {
    return isWrapperDesc(field.message) ? wrapperEncoder(field.message) : messageEncoder(field.message);
  }
  return scalarEncoder(field.scalar ?? ScalarType.STRING);
}

/** A wrapper is a bare scalar in JSON, whether the message holds it bare or as a message. */
function wrapperEncoder(desc: DescMessage): Encoder {
  const encode = scalarEncoder(desc.fields[0]?.scalar ?? ScalarType.STRING);
  return (value) =>
    encode(typeof value === 'object' && value !== null && 'value' in value ? value.value : value);
}

function scalarEncoder(type: ScalarType): Encoder {
  switch (type) {
    case ScalarType.STRING:
      return JSON.stringify;
    case ScalarType.BYTES:
      return (value) => `"${base64Encode(value as Uint8Array)}"`;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      // ProtoJSON, JSON mapping of double: the three values that JSON numbers lack are strings.
      return (value) => (Number.isFinite(value) ? String(value) : `"${value}"`);
    default:
      return String;
  }
}

function wellKnownEncoder(desc: DescMessage): Encoder | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Struct':
      return JSON.stringify;
    case 'google.protobuf.Timestamp':
      return (value) => `"${formatTimestamp(complete(desc, value) as Timestamp)}"`;
    case 'google.protobuf.Value':
    case 'google.protobuf.ListValue':
    case 'google.protobuf.Duration':
    case 'google.protobuf.FieldMask':
    case 'google.protobuf.Any':
      return (value) => JSON.stringify(toJson(desc, complete(desc, value) as Message) satisfies JsonValue);
    default:
      return undefined;
  }
}
