import { type FieldViolation, ServiceError } from '../../domain/errors.ts';

/** Turns a given value into a field's, or says what is wrong with it. */
export type FieldRule<T> = (value: unknown) => T | RuleFailure;

/** What a rule found, in words that follow the name of the field: `must be …`. */
export class RuleFailure {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

type RuledFields<Rules> = {
  -readonly [Field in keyof Rules]?: Rules[Field] extends FieldRule<infer T> ? T : never;
};

/**
 * Returns the given fields of `input` as their rules read them; undefined ones are left out.
 *
 * @throws `invalid_request` naming every field at fault, by its name in JSON.
 */
export function readFields<Rules extends Readonly<Record<string, FieldRule<unknown>>>>(
  rules: Rules,
  input: { readonly [Field in keyof Rules]?: unknown },
): RuledFields<Rules> {
  const fields: Record<string, unknown> = {};
  const violations: FieldViolation[] = [];
  for (const [name, rule] of Object.entries(rules)) {
    const given = input[name];
    if (given === undefined) continue;
    const value = rule(given);
    if (value instanceof RuleFailure) violations.push({ pointer: pointerTo(name), detail: value.detail });
    else fields[name] = value;
  }
  assertNoViolation(violations);
  return fields as RuledFields<Rules>;
}

/** The JSON pointer of a field. */
export function pointerTo(field: string): string {
  return `/${jsonNameOf(field)}`;
}

/** A field's name in JSON: `rateLimitPerHour` is `rate_limit_per_hour`, a time's unit `Ms` is not in its name. */
export function jsonNameOf(field: string): string {
  return field.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** @throws `invalid_request` for one field. */
export function refuse(field: string, detail: string): never {
  assertNoViolation([{ pointer: pointerTo(field), detail }]);
  throw new TypeError('unreachable');
}

function assertNoViolation(violations: readonly FieldViolation[]): void {
  if (violations.length === 0) return;
  const detail = violations.map(({ pointer, detail: what }) => `${pointer.slice(1)} ${what}`).join('; ');
  throw new ServiceError('invalid_request', { detail, violations });
}

export function text(min: number, max: number): FieldRule<string> {
  return (value) => {
    const trimmed = typeof value === 'string' ? value.trim() : '';
    if (typeof value === 'string' && trimmed.length >= min && trimmed.length <= max) return trimmed;
    return new RuleFailure(`must be a text of ${min} to ${max} characters`);
  };
}

export const flag: FieldRule<boolean> = (value) =>
  typeof value === 'boolean' ? value : new RuleFailure('must be true or false');

export function wholeNumber(min: number, max: number): FieldRule<number> {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? value
      : new RuleFailure(`must be a whole number from ${grouped(min)} to ${grouped(max)}`);
}

export function oneOf<Choice extends string>(choices: readonly Choice[]): FieldRule<Choice> {
  return (value) =>
    choices.find((choice) => choice === value) ?? new RuleFailure(`must be one of ${choices.join(', ')}`);
}

/** Takes null as it is. */
export function nullable<T>(rule: FieldRule<T>): FieldRule<T | null> {
  return (value) => (value === null ? null : rule(value));
}

/** A list without repetitions. */
export function listOf<T>(rule: FieldRule<T>, { min = 0, max = 200 } = {}): FieldRule<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return new RuleFailure('must be a list');
    const items: T[] = [];
    for (const [index, element] of value.entries()) {
      const item = rule(element);
      if (item instanceof RuleFailure)
        return new RuleFailure(`has ${named(element, index)} that ${item.detail}`);
      if (!items.includes(item)) items.push(item);
    }
    if (items.length < min)
      return new RuleFailure(`must have at least ${min} ${min === 1 ? 'entry' : 'entries'}`);
    if (items.length > max) return new RuleFailure(`must have at most ${max} entries`);
    return items;
  };
}

/** An entry of a list in words: short texts by themselves, all else by their place. */
function named(element: unknown, index: number): string {
  const isShort = typeof element === 'string' && element.length <= 80;
  return isShort ? `an entry ${JSON.stringify(element)}` : `an entry, number ${index + 1},`;
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
