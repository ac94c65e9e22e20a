import type { DescField } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { FieldRules } from '../../gen/service/options/v1/options_pb.ts';
import { requirementOf } from './descriptor-rules.ts';

/** Says what is wrong with a field's value, for a caller; undefined when nothing is. */
export type Check = (value: unknown) => string | undefined;

/** Returns the check of the rules that a field states about its value; an absent value breaks none. */
export function checkOfValue(field: DescField, rules: FieldRules): Check | undefined {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return itemsCheck(field, rules);
  const checks = [numberCheck(rules), charsCheck(rules), formatCheck(rules.format), timeCheck(field)].filter(
    (check) => check !== undefined,
  );
  if (checks.length === 0) return undefined;
  return (value) => {
    if (value === undefined) return undefined;
    for (const check of checks) {
      const detail = check(value);
      if (detail !== undefined) return detail;
    }
    return undefined;
  };
}

/**
 * Tells whether a required field is missing from a message. An empty string, list or map without presence of its own
 * is not: proto3 cannot tell it from one that was given, and its least length is a rule of its own.
 */
export function isMissing(field: DescField, value: unknown): boolean {
  return value === undefined || (field.fieldKind === 'enum' && value === 0);
}

function itemsCheck(field: DescField, { minItems, maxItems }: FieldRules): Check | undefined {
  if (minItems === undefined && maxItems === undefined) return undefined;
  const requirement = requirementOf(field);
  return (value) => {
    const items = Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;
    if (minItems !== undefined && items < minItems) {
      return minItems === 1 ? requirement : `must have at least ${minItems} entries`;
    }
    if (maxItems !== undefined && items > maxItems) return `must have at most ${maxItems} entries`;
    return undefined;
  };
}

function numberCheck({ min, max }: FieldRules): Check | undefined {
  if (min === undefined && max === undefined) return undefined;
  const detail =
    min === undefined
      ? `must be at most ${max}`
      : max === undefined
        ? `must be at least ${min}`
        : `must be from ${min} to ${max}`;
  return (value) => {
    const number = Number(value);
    // Written so that NaN is refused.
    return number >= (min ?? -Infinity) && number <= (max ?? Infinity) ? undefined : detail;
  };
}

function charsCheck({ minChars, maxChars }: FieldRules): Check | undefined {
  if (minChars === undefined && maxChars === undefined) return undefined;
  return (value) => {
    const text = value as string;
    if (minChars !== undefined && text.length < 2 * minChars && codePoints(text) < minChars) {
      return minChars === 1 ? 'must be a non-empty string' : `must have at least ${minChars} characters`;
    }
    if (maxChars !== undefined && text.length > maxChars && codePoints(text) > maxChars) {
      return `must have at most ${maxChars} characters`;
    }
    return undefined;
  };
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The range of google.protobuf.Timestamp: from the year 1 to the end of the year 9999. */
const seconds = { min: -62_135_596_800n, max: 253_402_300_799n } as const;

function timeCheck(field: DescField): Check | undefined {
  if (field.message?.typeName !== 'google.protobuf.Timestamp') return undefined;
  return (value) => {
    const time = value as Timestamp;
    const isInRange = time.seconds >= seconds.min && time.seconds <= seconds.max;
    return isInRange && time.nanos >= 0 && time.nanos < 1e9
      ? undefined
      : 'must be a time from the year 1 to the year 9999';
  };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

function formatCheck(format: string): Check | undefined {
  switch (format) {
    case '':
      return undefined;
    case 'uuid':
      return (value) => (uuid.test(value as string) ? undefined : 'must be a UUID');
    case 'date-time':
      return (value) =>
        dateTime.test(value as string) && !Number.isNaN(Date.parse(value as string))
          ? undefined
          : 'must be an ISO 8601 date and time with an offset';
    case 'uri':
      return (value) => (URL.canParse(value as string) ? undefined : 'must be an absolute URI');
    case 'email':
      return (value) => (email.test(value as string) ? undefined : 'must be a mail address');
    default:
      throw new Error(`unknown string format ${format}`);
  }
}
