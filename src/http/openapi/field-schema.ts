import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { FieldRules, Shorthand } from '../../../gen/service/options/v1/options_pb.ts';
import { fieldRulesOf } from '../../rpc/descriptor-rules.ts';
import { enumJsonNames } from '../../rpc/enum-json-name.ts';
import type { Direction, Schema, SchemaRegistry } from './schema.ts';

/** Returns the schema of a field's value: with its rules and shorthands in requests, null where answers may have it. */
export function fieldSchema(field: DescField, direction: Direction, registry: SchemaRegistry): Schema {
  const rules = fieldRulesOf(field);
  const value =
    direction === 'input' ? inputValue(field, rules, registry) : elementSchema(field, direction, registry);
  switch (field.fieldKind) {
    case 'list': {
      const { minItems, maxItems } = rules;
      const bounds = direction === 'input' ? defined({ minItems, maxItems }) : {};
      return orNull({ type: 'array', items: value, ...bounds }, direction === 'input' && !rules.required);
    }
    case 'map':
      return orNull(
        { type: 'object', additionalProperties: value },
        direction === 'input' && !rules.required,
      );
    default:
      return orNull(value, direction === 'input' ? !rules.required : isNullable(field));
  }
}

/** Returns the schema of a value as a path or query parameter holds it. */
export function parameterSchema(field: DescField, registry: SchemaRegistry): Schema {
  const value = inputValue(field, fieldRulesOf(field), registry);
  return field.fieldKind === 'list' ? { type: 'array', items: value } : value;
}

function inputValue(field: DescField, rules: FieldRules, registry: SchemaRegistry): Schema {
  const base = {
    ...elementSchema(field, 'input', registry),
    ...(field.fieldKind === 'list' ? {} : bounds(rules)),
  };
  if (rules.scalar) return { ...base, type: ['string', 'number', 'boolean'] };
  const forms = rules.shorthand === undefined ? [] : shorthandSchemas(field, rules.shorthand, registry);
  if (forms.length === 0) return base;
  // An object field takes every object, so that the message's own form is not there beside it.
  return { anyOf: rules.shorthand?.objectField ? forms : [base, ...forms] };
}

function bounds({ min, max, minChars, maxChars, format, scalar }: FieldRules): Schema {
  return {
    ...defined({ minimum: min, maximum: max }),
    ...(scalar ? {} : defined({ minLength: minChars, maxLength: maxChars })),
    ...(format === '' ? {} : { format }),
  };
}

function shorthandSchemas(field: DescField, shorthand: Shorthand, registry: SchemaRegistry): Schema[] {
  const { stringField, arrayField, objectField, valueField, trueValue, falseValue } = shorthand;
  const named = (name: string): Schema[] => {
    const target = field.message?.fields.find((each) => each.name === name);
    return target === undefined ? [] : [notNull(fieldSchema(target, 'input', registry))];
  };
  const bare = field.message?.fields.find(({ name }) => name === valueField);
  const isAnyValue = bare?.message?.typeName === 'google.protobuf.Value';
  return [
    ...named(stringField),
    ...named(arrayField),
    ...named(objectField),
    ...(isAnyValue ? [{ type: ['string', 'number', 'boolean', 'null'] }] : bareValue(named(valueField))),
    ...(trueValue === '' ? [] : [{ const: true, description: `As ${trueValue}.` }]),
    ...(falseValue === '' ? [] : [{ const: false, description: `As ${falseValue}.` }]),
  ];
}

/** A bare value may be null: the message is then empty. */
function bareValue(forms: readonly Schema[]): Schema[] {
  return forms.map((form) => orNull(form, true));
}

function elementSchema(field: DescField, direction: Direction, registry: SchemaRegistry): Schema {
  if (field.enum !== undefined) return enumSchema(field.enum);
  if (field.message !== undefined) {
    return wellKnownSchema(field.message) ?? registry.refer(field.message, direction);
  }
  return scalarSchema(field.scalar ?? ScalarType.STRING);
}

function enumSchema(desc: DescEnum): Schema {
  return { type: 'string', enum: [...enumJsonNames(desc).values()] };
}

function scalarSchema(type: ScalarType): Schema {
  switch (type) {
    case ScalarType.STRING:
      return { type: 'string' };
    case ScalarType.BOOL:
      return { type: 'boolean' };
    case ScalarType.BYTES:
      return { type: 'string', contentEncoding: 'base64' };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: 'number' };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: 'integer', minimum: 0 };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { type: 'integer', format: 'int64' };
    default:
      return { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
  }
}

function wellKnownSchema(desc: DescMessage): Schema | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Struct':
      return { type: 'object', additionalProperties: true };
    case 'google.protobuf.Value':
      return {};
    case 'google.protobuf.ListValue':
      return { type: 'array' };
    case 'google.protobuf.Timestamp':
      return { type: 'string', format: 'date-time' };
    case 'google.protobuf.Duration':
      return { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]{1,9})?s$' };
    case 'google.protobuf.FieldMask':
      return { type: 'string' };
    case 'google.api.HttpBody':
      return { type: 'string', format: 'binary' };
    default:
      return isWrapperDesc(desc) ? scalarSchema(desc.fields[0].scalar) : undefined;
  }
}

function isNullable(field: DescField): boolean {
  return (
    field.fieldKind === 'message' ||
    field.fieldKind === 'enum' ||
    field.proto.proto3Optional ||
    field.oneof !== undefined
  );
}

function orNull(schema: Schema, nullable: boolean): Schema {
  if (!nullable || Object.keys(schema).length === 0) return schema;
  if (typeof schema.type === 'string' && schema.enum === undefined) {
    return { ...schema, type: [schema.type, 'null'] };
  }
  if (Array.isArray(schema.type)) return { ...schema, type: [...new Set([...schema.type, 'null'])] };
  const forms = Object.keys(schema).join() === 'anyOf' ? (schema.anyOf as Schema[]) : [schema];
  return { anyOf: [...forms, { type: 'null' }] };
}

/** The form itself, where null is told of elsewhere. */
function notNull(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  return { ...schema, type: types.length === 1 ? types[0] : types };
}

function defined(values: Record<string, unknown>): Schema {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
