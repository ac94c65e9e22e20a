import { create, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import type { Shorthand } from '../../../gen/service/options/v1/options_pb.ts';
import { enumJsonNames } from '../../rpc/enum-json-name.ts';
import type { Decoder } from './scalar-json.ts';

type JsonKind = 'string' | 'array' | 'object' | 'value' | 'true' | 'false';

/**
 * Returns a decoder that takes the other JSON forms of a field before it tries the usual one.
 *
 * @param decoderOf returns the decoder of the field that a shorthand names
 */
export function applyShorthand(
  field: DescField,
  shorthand: Shorthand | undefined,
  decode: Decoder,
  decoderOf: (field: DescField) => Decoder,
): Decoder {
  if (shorthand === undefined) return decode;
  const forms =
    field.message !== undefined
      ? messageForms(field.message, shorthand, decoderOf)
      : enumForms(field, shorthand);
  const isMessage = field.message !== undefined;
  const others = [...forms.keys()].filter((kind) => kind !== 'object').map((kind) => spoken[kind]);
  const requirement = `must be ${[others.join(', '), 'an object'].filter(Boolean).join(' or ')}`;
  return (json, ctx) => {
    const kind = kindOf(json);
    const form = forms.get(kind) ?? (isBareValue(json) ? forms.get('value') : undefined);
    if (form !== undefined) return form(json, ctx);
    return isMessage && kind !== 'object' ? ctx.reject(requirement) : decode(json, ctx);
  };
}

const spoken: Readonly<Record<JsonKind, string>> = {
  string: 'a string',
  array: 'an array',
  object: 'an object',
  value: 'a string, a number, true, false',
  true: 'true',
  false: 'false',
};

function messageForms(
  desc: DescMessage,
  shorthand: Shorthand,
  decoderOf: (field: DescField) => Decoder,
): ReadonlyMap<JsonKind, Decoder> {
  const names: readonly (readonly [JsonKind, string])[] = [
    ['string', shorthand.stringField],
    ['array', shorthand.arrayField],
    ['object', shorthand.objectField],
    ['value', shorthand.valueField],
  ];
  return new Map(
    names.filter(([, name]) => name !== '').map(([kind, name]) => [kind, wrap(desc, name, decoderOf)]),
  );
}

/** Decodes a JSON value as one field of a message that is otherwise empty. */
function wrap(desc: DescMessage, fieldName: string, decoderOf: (field: DescField) => Decoder): Decoder {
  const field = desc.fields.find(({ name }) => name === fieldName);
  if (field === undefined) throw new Error(`${desc}: shorthand names ${fieldName}, which it does not have`);
  let decode: Decoder | undefined;
  const keepsNull = field.message?.typeName === 'google.protobuf.Value';
  return (json, ctx) => {
    const message = create(desc) as Message & Record<string, unknown>;
    if (json === null && !keepsNull) return message;
    decode ??= decoderOf(field);
    const value = decode(json, ctx);
    if (value === undefined) return undefined;
    message[field.localName] = value;
    return message;
  };
}

function enumForms(field: DescField, { trueValue, falseValue }: Shorthand): ReadonlyMap<JsonKind, Decoder> {
  if (field.enum === undefined) throw new Error(`${field}: a shorthand needs a message or an enum`);
  const numbers = new Map([...enumJsonNames(field.enum)].map(([number, name]) => [name, number]));
  const names: readonly (readonly [JsonKind, string])[] = [
    ['true', trueValue],
    ['false', falseValue],
  ];
  return new Map(
    names
      .filter(([, name]) => name !== '')
      .map(([kind, name]) => {
        const number = numbers.get(name);
        if (number === undefined)
          throw new Error(`${field}: shorthand names ${name}, which the enum does not have`);
        return [kind, () => number];
      }),
  );
}

function kindOf(json: unknown): JsonKind {
  if (typeof json === 'string') return 'string';
  if (json === true) return 'true';
  if (json === false) return 'false';
  if (Array.isArray(json)) return 'array';
  return typeof json === 'object' && json !== null ? 'object' : 'value';
}

function isBareValue(json: unknown): boolean {
  return typeof json !== 'object' || json === null;
}
