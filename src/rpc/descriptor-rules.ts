import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescOneof,
  getOption,
} from '@bufbuild/protobuf';
import {
  type FieldRules,
  field as fieldOption,
  type MethodRules,
  message as messageOption,
  method as methodOption,
} from '../../gen/service/options/v1/options_pb.ts';
import type { EngineName } from '../domain/errors.ts';
import { enumJsonNames } from './enum-json-name.ts';

/** Returns the rules that a method's proto states; a standard service's method has the defaults. */
export function methodRulesOf(method: DescMethod): MethodRules {
  return getOption(method, methodOption);
}

/** Returns the rules that a field's proto states. */
export function fieldRulesOf(field: DescField): FieldRules {
  return getOption(field, fieldOption);
}

/** Returns the JSON names, beside its own, under which a field is read. */
export function aliasesOf(field: DescField): readonly string[] {
  const { alias } = fieldRulesOf(field);
  return alias === '' ? [] : alias.split(',');
}

/** Returns the document engine that a method's proto names, if any. */
export function engineOf(method: DescMethod): EngineName | undefined {
  const { engine } = methodRulesOf(method);
  if (engine === '') return undefined;
  if (!isEngineName(engine)) throw new Error(`${method}: unknown engine ${engine}`);
  return engine;
}

/** A message whose JSON is flat: the tag names the member of `oneof` whose fields stand beside it. */
export interface TaggedUnion {
  readonly tag: string;
  readonly oneof: DescOneof;
}

/** Returns how a message's JSON is tagged, if it is. */
export function taggedUnionOf(desc: DescMessage): TaggedUnion | undefined {
  const { tag } = getOption(desc, messageOption);
  if (tag === '') return undefined;
  const oneof = desc.oneofs[0];
  if (oneof === undefined || desc.oneofs.length !== 1)
    throw new Error(`${desc}: a tag needs exactly one oneof`);
  return { tag, oneof };
}

/**
 * Says what a field takes, for a caller: "must be a non-empty array". The words stand for a missing field as well as
 * for one of the wrong type.
 */
export function requirementOf(field: DescField): string {
  const rules = fieldRulesOf(field);
  switch (field.fieldKind) {
    case 'list':
      return (rules.minItems ?? 0) > 0 ? 'must be a non-empty array' : 'must be an array';
    case 'map':
      return 'must be an object';
    case 'enum':
      return `must be one of ${[...enumJsonNames(field.enum).values()].join(', ')}`;
    case 'message':
      return 'must be an object';
    default:
      return (rules.minChars ?? 0) > 0 ? 'must be a non-empty string' : 'must be given';
  }
}

/** Writes the RFC 6901 pointer of a path of keys and indices. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Reads an RFC 6901 pointer as a person writes it: `/slides/0/elements` as `slides[0].elements`. */
export function toReadablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => {
      if (/^\d+$/.test(part)) return `${path}[${part}]`;
      return path === '' ? part : `${path}.${part}`;
    }, '');
}

function isEngineName(name: string): name is EngineName {
  return name === 'excel' || name === 'pdf' || name === 'pptx' || name === 'docx';
}
