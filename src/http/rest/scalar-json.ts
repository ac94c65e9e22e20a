import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { enumJsonNames } from '../../rpc/enum-json-name.ts';
import type { DecodeContext } from './decode-context.ts';

/** Reads a JSON value as a message field holds it, or notes a violation and returns undefined. */
export type Decoder = (json: unknown, ctx: DecodeContext) => unknown;

const ranges = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
} as const;

/**
 * Returns the decoder of a scalar type. Integers of 64 bits take exact JSON numbers and strings of digits and come out
 * as bigint, or as a string when the field says so (`jstype`).
 */
export function scalarDecoder(type: ScalarType, longAsString = false): Decoder {
  switch (type) {
    case ScalarType.STRING:
      return (json, ctx) => (typeof json === 'string' ? json : ctx.reject('must be a string'));
    case ScalarType.BOOL:
      return (json, ctx) => (typeof json === 'boolean' ? json : ctx.reject('must be true or false'));
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return (json, ctx) => (typeof json === 'number' ? json : ctx.reject('must be a number'));
    case ScalarType.BYTES:
      return decodeBytes;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return int32Decoder(ranges.int32);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return int32Decoder(ranges.uint32);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return int64Decoder(ranges.uint64, longAsString);
    default:
      return int64Decoder(ranges.int64, longAsString);
  }
}

/** Returns the decoder of an enum: its values by their names in JSON. */
export function enumDecoder(desc: DescEnum): Decoder {
  const numbers = new Map([...enumJsonNames(desc)].map(([number, name]) => [name, number]));
  const detail = `must be one of ${[...numbers.keys()].join(', ')}`;
  return (json, ctx) => (typeof json === 'string' ? numbers.get(json) : undefined) ?? ctx.reject(detail);
}

/** Reads a string field that also takes a JSON number or boolean, as its text. */
export function decodeText(json: unknown, ctx: DecodeContext): string | undefined {
  if (typeof json === 'string') return json;
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  return ctx.reject('must be a string, a number or a boolean');
}

function decodeBytes(json: unknown, ctx: DecodeContext): Uint8Array | undefined {
  if (typeof json !== 'string') return ctx.reject('must be a base64 string');
  try {
    return base64Decode(json);
  } catch {
    return ctx.reject('must be a base64 string');
  }
}

function int32Decoder([min, max]: readonly [number, number]): Decoder {
  return (json, ctx) =>
    typeof json === 'number' && Number.isInteger(json) && json >= min && json <= max
      ? json
      : ctx.reject('must be an integer');
}

function int64Decoder([min, max]: readonly [bigint, bigint], asString: boolean): Decoder {
  return (json, ctx) => {
    const isExact =
      typeof json === 'number'
        ? Number.isSafeInteger(json)
        : typeof json === 'string' && /^-?\d{1,20}$/.test(json);
    if (!isExact) return ctx.reject('must be an integer');
    const value = BigInt(json as number | string);
    if (value < min || value > max) return ctx.reject('must be an integer of 64 bits');
    return asString ? String(value) : value;
  };
}
