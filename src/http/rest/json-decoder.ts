import { create, type DescField, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import {
  aliasesOf,
  fieldRulesOf,
  requirementOf,
  type TaggedUnion,
  taggedUnionOf,
} from '../../rpc/descriptor-rules.ts';
import type { DecodeContext } from './decode-context.ts';
import { type Decoder, decodeText, enumDecoder, scalarDecoder } from './scalar-json.ts';
import { applyShorthand } from './shorthand.ts';
import { wellKnownDecoder } from './well-known-json.ts';

const decoders = new WeakMap<DescMessage, Decoder>();

/**
 * Returns the decoder of a message: JSON as the REST door documents it becomes a message, unions, aliases and enum
 * names included.
 *
 * Unknown properties are ignored; null means absent; a known property of the wrong type, and a required one that is
 * missing, is a violation. What is returned beside violations must not be used.
 */
export function messageDecoder(desc: DescMessage): Decoder {
  const known = decoders.get(desc);
  if (known !== undefined) return known;
  // Registered before it is compiled, since a message may hold itself.
  let compiled: Decoder | undefined;
  const decoder: Decoder = (json, ctx) => {
    compiled ??= wellKnownDecoder(desc) ?? compileMessage(desc);
    return compiled(json, ctx);
  };
  decoders.set(desc, decoder);
  return decoder;
}

/** Returns the decoder of a field's value, shorthands included. */
export function fieldDecoder(field: DescField): Decoder {
  const rules = fieldRulesOf(field);
  switch (field.fieldKind) {
    case 'list': {
      const element = applyShorthand(
        field,
        rules.shorthand,
        elementDecoder(field, rules.scalar),
        fieldDecoder,
      );
      return listDecoder(element, requirementOf(field), acceptsNull(field, rules.shorthand?.valueField));
    }
    case 'map':
      return mapDecoder(field);
    default:
      return applyShorthand(field, rules.shorthand, elementDecoder(field, rules.scalar), fieldDecoder);
  }
}

interface CompiledField {
  readonly names: readonly string[];
  readonly decode: Decoder;
  readonly set: (message: Record<string, unknown>, value: unknown) => void;
  readonly oneof: string | undefined;
  /** What a caller is told when the field is required and missing. */
  readonly requirement: string | undefined;
  readonly nullable: boolean;
}

function compileMessage(desc: DescMessage): Decoder {
  const union = taggedUnionOf(desc);
  const fields = desc.fields
    .filter((field) => union === undefined || field.oneof !== union.oneof)
    .map(compileField);
  const decodeUnion = union && unionDecoder(union);
  return (json, ctx) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      return ctx.reject('must be an object');
    const message = create(desc) as Message & Record<string, unknown>;
    const source = json as Record<string, unknown>;
    for (const field of fields) decodeField(field, source, message, ctx);
    decodeUnion?.(source, message, ctx);
    return message;
  };
}

function compileField(field: DescField): CompiledField {
  const rules = fieldRulesOf(field);
  const oneof = field.oneof?.localName;
  const { localName } = field;
  return {
    names: [field.jsonName, ...aliasesOf(field)],
    decode: fieldDecoder(field),
    set:
      oneof === undefined
        ? (message, value) => {
            message[localName] = value;
          }
        : (message, value) => {
            message[oneof] = { case: localName, value };
          },
    oneof,
    requirement: rules.required ? requirementOf(field) : undefined,
    nullable: field.fieldKind !== 'list' && acceptsNull(field, rules.shorthand?.valueField),
  };
}

function decodeField(
  field: CompiledField,
  source: Record<string, unknown>,
  message: Record<string, unknown>,
  ctx: DecodeContext,
): void {
  for (const name of field.names) {
    if (!Object.hasOwn(source, name)) continue;
    const json = source[name];
    if (json === null && !field.nullable) continue;
    const value = ctx.inside(name, field.decode, json);
    if (value === undefined) return;
    if (field.oneof !== undefined && isSet(message[field.oneof])) {
      ctx.rejectAt(name, 'excludes the other member that is given');
      return;
    }
    field.set(message, value);
    return;
  }
  if (field.requirement !== undefined) ctx.rejectAt(field.names[0] as string, field.requirement);
}

function isSet(oneof: unknown): boolean {
  return (oneof as { case?: string } | undefined)?.case !== undefined;
}

/** The tag's value names the member; the member's own fields stand in the same object. */
function unionDecoder({ tag, oneof }: TaggedUnion) {
  const members = new Map(oneof.fields.map((field) => [field.jsonName, compileMember(field)]));
  const detail = `must be one of ${[...members.keys()].join(', ')}`;
  return (source: Record<string, unknown>, message: Record<string, unknown>, ctx: DecodeContext): void => {
    const name = Object.hasOwn(source, tag) ? source[tag] : undefined;
    const member = typeof name === 'string' ? members.get(name) : undefined;
    if (member === undefined) {
      ctx.rejectAt(tag, detail);
      return;
    }
    const value = member.decode(source, ctx);
    if (value !== undefined) message[oneof.localName] = { case: member.localName, value };
  };
}

function compileMember(field: DescField): { localName: string; decode: Decoder } {
  const { localName, jsonName } = field;
  const decode = fieldDecoder(field);
  if (field.fieldKind === 'message') return { localName, decode };
  return {
    localName,
    decode: (json, ctx) => ctx.inside(jsonName, decode, (json as Record<string, unknown>)[jsonName]),
  };
}

function elementDecoder(field: DescField, scalarAsText: boolean): Decoder {
  if (field.enum !== undefined) return enumDecoder(field.enum);
  if (field.message !== undefined) {
    return isWrapperDesc(field.message)
      ? wrapperDecoder(field, field.message)
      : messageDecoder(field.message);
  }
  const type = field.scalar ?? ScalarType.STRING;
  if (type === ScalarType.STRING && scalarAsText) return decodeText;
  return scalarDecoder(type, 'longAsString' in field && field.longAsString);
}

/** A wrapper is a bare scalar in JSON, and in a message too where it is one member of its own. */
function wrapperDecoder(field: DescField, desc: DescMessage): Decoder {
  const decode = scalarDecoder(desc.fields[0]?.scalar ?? ScalarType.STRING);
  if (field.fieldKind === 'message' && field.oneof === undefined) return decode;
  return (json, ctx) => {
    const value = decode(json, ctx);
    return value === undefined ? undefined : create(desc, { value });
  };
}

function listDecoder(decodeElement: Decoder, requirement: string, nullable: boolean): Decoder {
  return (json, ctx) => {
    if (!Array.isArray(json)) return ctx.reject(requirement);
    const list = new Array<unknown>(json.length);
    for (let index = 0; index < json.length; index++) {
      if (json[index] === null && !nullable) ctx.rejectAt(index, 'must not be null');
      else list[index] = ctx.inside(index, decodeElement, json[index]);
    }
    return list;
  };
}

function mapDecoder(field: DescField & { fieldKind: 'map' }): Decoder {
  const decodeValue = elementDecoder(field, false);
  const isKey = mapKeyTest(field.mapKey);
  return (json, ctx) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      return ctx.reject('must be an object');
    const map: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(json)) {
      if (!isKey(key)) ctx.rejectAt(key, 'is not a key of this object');
      // Plain assignment of "__proto__" would set the prototype.
      else Object.defineProperty(map, key, { ...open, value: ctx.inside(key, decodeValue, entry) });
    }
    return map;
  };
}

const open = { enumerable: true, writable: true, configurable: true } as const;

function mapKeyTest(type: ScalarType): (key: string) => boolean {
  if (type === ScalarType.STRING) return () => true;
  if (type === ScalarType.BOOL) return (key) => key === 'true' || key === 'false';
  return (key) => /^-?\d{1,20}$/.test(key);
}

function acceptsNull(field: DescField, valueField: string | undefined): boolean {
  return (valueField ?? '') !== '' || field.message?.typeName === 'google.protobuf.Value';
}
