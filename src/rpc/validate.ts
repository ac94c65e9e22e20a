import type { DescField, DescMessage, DescMethod, Message } from '@bufbuild/protobuf';
import type { Interceptor } from '@connectrpc/connect';
import { type FieldViolation, ServiceError, specInvalid } from '../domain/errors.ts';
import { engineOf, fieldRulesOf, requirementOf, taggedUnionOf, toReadablePath } from './descriptor-rules.ts';
import { type Check, checkOfValue, isMissing } from './validate-rules.ts';

type AnyMessage = Message & Record<string, unknown>;

/**
 * Holds every request message against the rules of its proto, whichever door it came through.
 *
 * @throws `spec_invalid` for methods of a document engine, else `invalid_request`
 */
export const validateInterceptor: Interceptor = (next) => async (req) => {
  const validate = validatorOf(req.method.input);
  if (validate === undefined) return next(req);
  if (!req.stream) {
    assertValid(req.method, validate(req.message));
    return next(req);
  }
  const { method, message } = req;
  return next({ ...req, message: validated(message) });

  async function* validated(messages: typeof message) {
    for await (const each of messages) {
      assertValid(method, validate?.(each) ?? []);
      yield each;
    }
  }
};

/** @throws what a caller of the method is told about the violations; nothing when there are none */
export function assertValid(method: DescMethod, violations: readonly FieldViolation[]): void {
  const [first] = violations;
  if (first !== undefined) throw toInputError(method, [first, ...violations.slice(1)]);
}

/** Returns what a caller of the method is told about fields at fault. */
export function toInputError(
  method: DescMethod,
  violations: readonly [FieldViolation, ...FieldViolation[]],
): ServiceError {
  const [{ pointer, detail }] = violations;
  const engine = engineOf(method);
  const path = toReadablePath(pointer);
  const reason = path === '' ? `the spec ${detail}` : `${path} ${detail}`;
  if (engine !== undefined) return specInvalid(engine, reason, pointer);
  return new ServiceError('invalid_request', {
    detail: path === '' ? `The request ${detail}.` : `${reason}.`,
    violations,
  });
}

/** Returns what is wrong with a message, in the order of its fields. */
export type Validator = (message: Message) => readonly FieldViolation[];

const validators = new WeakMap<DescMessage, Validator | undefined>();

/** Returns the validator of a message, compiled from its descriptor; undefined when no rule can be broken in it. */
export function validatorOf(desc: DescMessage): Validator | undefined {
  if (validators.has(desc)) return validators.get(desc);
  const walk = hasRules(desc, new Set()) ? walkerOf(desc) : undefined;
  const validator: Validator | undefined =
    walk &&
    ((message) => {
      const violations: FieldViolation[] = [];
      walk(message as AnyMessage, '', violations);
      return violations;
    });
  validators.set(desc, validator);
  return validator;
}

type Walk = (message: AnyMessage, pointer: string, violations: FieldViolation[]) => void;

const walkers = new WeakMap<DescMessage, Walk>();

function walkerOf(desc: DescMessage): Walk {
  const known = walkers.get(desc);
  if (known !== undefined) return known;
  let steps: readonly Walk[] | undefined;
  const walk: Walk = (message, pointer, violations) => {
    steps ??= compile(desc);
    for (const step of steps) step(message, pointer, violations);
  };
  walkers.set(desc, walk);
  return walk;
}

function compile(desc: DescMessage): Walk[] {
  const union = taggedUnionOf(desc);
  return desc.fields.flatMap((field) => {
    const check = checkOf(field);
    const inner =
      field.message !== undefined && hasRules(field.message, new Set()) ? walkerOf(field.message) : undefined;
    if (check === undefined && inner === undefined) return [];
    // A member of a tagged union has no name of its own in JSON.
    const step = union !== undefined && field.oneof === union.oneof ? '' : `/${field.jsonName}`;
    return [walkField(field, step, check, inner)];
  });
}

function walkField(field: DescField, step: string, check: Check | undefined, inner: Walk | undefined): Walk {
  const read = reader(field);
  return (message, parent, violations) => {
    const value = read(message);
    const pointer = parent + step;
    const detail = check?.(value);
    if (detail !== undefined) violations.push({ pointer, detail });
    if (inner === undefined || value === undefined) return;
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) inner(each, `${pointer}/${index}`, violations);
    } else if (field.fieldKind === 'map') {
      for (const [key, each] of Object.entries(value as object))
        inner(each as AnyMessage, `${pointer}/${key}`, violations);
    } else {
      inner(value as AnyMessage, pointer, violations);
    }
  };
}

function reader(field: DescField): (message: AnyMessage) => unknown {
  const { localName } = field;
  const oneof = field.oneof?.localName;
  if (oneof === undefined) return (message) => message[localName];
  return (message) => {
    const member = message[oneof] as { case?: string; value?: unknown };
    return member.case === localName ? member.value : undefined;
  };
}

function checkOf(field: DescField): Check | undefined {
  const rules = fieldRulesOf(field);
  const check = checkOfValue(field, rules);
  if (!rules.required) return check;
  const requirement = requirementOf(field);
  return (value) => (isMissing(field, value) ? requirement : check?.(value));
}

function hasRules(desc: DescMessage, seen: Set<DescMessage>): boolean {
  if (seen.has(desc) || desc.typeName.startsWith('google.protobuf.')) return false;
  seen.add(desc);
  return desc.fields.some(
    (field) => checkOf(field) !== undefined || (field.message !== undefined && hasRules(field.message, seen)),
  );
}
