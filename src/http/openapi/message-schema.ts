import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { protoComments } from '../../../gen/comments.ts';
import { aliasesOf, fieldRulesOf, taggedUnionOf } from '../../rpc/descriptor-rules.ts';
import { fieldSchema } from './field-schema.ts';
import type { Direction, Schema, SchemaRegistry } from './schema.ts';

/**
 * Returns the schema of a message: as the decoder takes it in requests (fields may be left out or null, shorthands and
 * aliases included), or as the encoder writes it in answers (every field is there).
 */
export function messageSchema(desc: DescMessage, direction: Direction, registry: SchemaRegistry): Schema {
  const description = protoComments[desc.typeName];
  const union = taggedUnionOf(desc);
  if (union === undefined)
    return { ...objectSchema(desc.fields, direction, registry), ...describe(description) };
  const own = desc.fields.filter((field) => field.oneof !== union.oneof);
  const variants = union.oneof.fields.map((field) => {
    const members = field.fieldKind === 'message' ? field.message.fields : [field];
    const schema = objectSchema([...own, ...members], direction, registry);
    const text = protoComments[`${desc.typeName}.${field.name}`];
    const properties = { [union.tag]: { const: field.jsonName }, ...schema.properties };
    const required = [union.tag, ...(schema.required ?? [])];
    const variant = { ...schema, ...describe(text), properties, required };
    return [field.jsonName, registry.define(desc, direction, field.name, variant)] as const;
  });
  return {
    ...describe(description),
    oneOf: variants.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: union.tag, mapping: Object.fromEntries(variants) },
  };
}

interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

function objectSchema(
  fields: readonly DescField[],
  direction: Direction,
  registry: SchemaRegistry,
): ObjectSchema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const field of fields) {
    const schema = { ...fieldSchema(field, direction, registry), ...describeField(field) };
    properties[field.jsonName] = schema;
    const aliases = aliasesOf(field);
    if (direction === 'input') {
      const description = `Another name of ${field.jsonName}.`;
      for (const alias of aliases) properties[alias] = { ...schema, description };
    }
    const isRequired = fieldRulesOf(field).required && aliases.length === 0;
    if (direction === 'output' || isRequired) required.push(field.jsonName);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function describeField(field: DescField): Schema {
  const { example } = fieldRulesOf(field);
  return {
    ...describe(protoComments[`${field.parent.typeName}.${field.name}`]),
    ...(example === '' ? {} : { examples: [JSON.parse(example)] }),
  };
}

function describe(description: string | undefined): Schema {
  return description === undefined ? {} : { description };
}
