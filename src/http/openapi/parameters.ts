import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { protoComments } from '../../../gen/comments.ts';
import { fieldRulesOf, methodRulesOf } from '../../rpc/descriptor-rules.ts';
import { accessOf } from '../../rpc/gate/access.ts';
import type { Binding } from '../rest/binding.ts';
import { parameterSchema } from './field-schema.ts';
import type { Schema, SchemaRegistry } from './schema.ts';

/** Returns the parameters of a method: path variables, the fields that its query binds, and headers that it reads. */
export function parametersOf(binding: Binding, registry: SchemaRegistry): Schema[] {
  const { method, template, body } = binding;
  const inPath = template.variables.map(({ fieldPath }) => {
    const field = fieldAt(method.input, fieldPath);
    return { name: fieldPath.join('.'), in: 'path', required: true, ...aboutField(field, registry) };
  });
  const bound = new Set([...template.variables.map(({ fieldPath }) => fieldPath.join('.')), body]);
  const inQuery =
    body === '*'
      ? []
      : queryFields(method.input, [], new Set())
          .filter(({ path }) => !path.some((_, index) => bound.has(path.slice(0, index + 1).join('.'))))
          .map(({ field, names }) => ({
            name: names.join('.'),
            in: 'query',
            required: names.length === 1 && fieldRulesOf(field).required,
            ...aboutField(field, registry),
          }));
  return [...inPath, ...inQuery, ...headerParameters(binding)];
}

interface QueryField {
  readonly field: DescField;
  /** Names in the proto. */
  readonly path: readonly string[];
  /** Names in JSON. */
  readonly names: readonly string[];
}

/** Fields that a query can set: scalars, enums, their lists, well-known types as text, and those of own messages. */
function queryFields(
  desc: DescMessage,
  above: readonly QueryField[],
  seen: ReadonlySet<DescMessage>,
): QueryField[] {
  if (seen.has(desc)) return [];
  return desc.fields.flatMap((field) => {
    const parent = above.at(-1);
    const here = {
      field,
      path: [...(parent?.path ?? []), field.name],
      names: [...(parent?.names ?? []), field.jsonName],
    };
    if (field.fieldKind === 'map') return [];
    if (field.message === undefined) return [here];
    if (field.message.typeName.startsWith('google.protobuf.')) {
      return field.message.typeName === 'google.protobuf.Struct' ? [] : [here];
    }
    if (field.fieldKind === 'list') return [];
    return queryFields(field.message, [here], new Set([...seen, desc]));
  });
}

function fieldAt(desc: DescMessage, path: readonly string[]): DescField {
  const [name, ...rest] = path;
  const field = desc.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${desc.typeName} has no field ${name}`);
  return rest.length === 0 || field.message === undefined ? field : fieldAt(field.message, rest);
}

function aboutField(field: DescField, registry: SchemaRegistry): Schema {
  const description = protoComments[`${field.parent.typeName}.${field.name}`];
  return { ...(description === undefined ? {} : { description }), schema: parameterSchema(field, registry) };
}

function headerParameters({ method, httpMethod }: Binding): Schema[] {
  const access = accessOf(method).kind;
  const header = (
    name: string,
    required: boolean,
    description: string,
    schema: Schema = { type: 'string' },
  ) => ({
    name,
    in: 'header',
    required,
    description,
    schema,
  });
  const isChange = httpMethod !== 'GET' && httpMethod !== 'HEAD';
  return [
    ...(methodRulesOf(method).idempotencyKey
      ? [
          header(
            'Idempotency-Key',
            false,
            'The same key within 24 hours brings the same answer again; not for event streams.',
            { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
          ),
        ]
      : []),
    ...(access === 'signature'
      ? [header('X-Webhook-Timestamp', true, 'Unix time in seconds or milliseconds.')]
      : []),
    ...((access === 'session' || access === 'administrator') && isChange
      ? [header('X-CSRF-Token', true, 'The token that the session shows.')]
      : []),
  ];
}
