import type { Document } from 'mongodb';

/** How a field of a record is stored. */
export interface Field {
  readonly bsonType: 'string' | 'number' | 'bool' | 'array' | 'object' | 'date';
  /** Null is a value of it, and what it reads as where a document does not have it. */
  readonly isNullable?: true;
  /** Not stored while it is null, so that a sparse index holds only the documents that have it. */
  readonly isAbsentWhenNull?: true;
  /** Stored as JSON text: its keys come from outside, and not every server takes every key. */
  readonly isJson?: true;
}

export const text: Field = { bsonType: 'string' };
export const number: Field = { bsonType: 'number' };
export const bool: Field = { bsonType: 'bool' };
export const list: Field = { bsonType: 'array' };
export const object: Field = { bsonType: 'object' };
export const json: Field = { bsonType: 'string', isJson: true };
/** A date that a TTL index reads; never read back. */
export const date: Field = { bsonType: 'date' };

export function nullable(field: Field): Field {
  return { ...field, isNullable: true };
}

/** A field that is there only while it is not null. */
export function sparse(field: Field): Field {
  return { ...field, isNullable: true, isAbsentWhenNull: true };
}

/** Every field of a record but its id, which is the document's `_id`. */
export type FieldsOf<T> = { readonly [Name in Exclude<keyof T, 'id'>]-?: Field };

export type Fields = Readonly<Record<string, Field>>;

/** Returns the document of a record. */
export function toDocument<T extends { readonly id: string }>(
  fields: FieldsOf<T>,
  record: T,
): Document & { _id: string } {
  return { _id: record.id, ...toChange(fields, record).$set };
}

/** Returns the update that sets the given fields of a record, and leaves every field that it does not know. */
export function toChange(fields: Fields, values: object): { $set: Document; $unset: Document } {
  const $set: Document = {};
  const $unset: Document = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name];
    if (field === undefined || value === undefined) continue;
    if (value === null && field.isAbsentWhenNull === true) $unset[name] = '';
    else $set[name] = field.isJson === true && value !== null ? JSON.stringify(value) : value;
  }
  return { $set, $unset };
}

/** Returns the record of a document. Fields that it does not know, written by a newer version, are not in it. */
export function fromDocument<T extends { readonly id: string }>(fields: FieldsOf<T>, document: Document): T {
  const record: Record<string, unknown> = { id: document._id };
  for (const [name, field] of Object.entries<Field>(fields)) {
    const value: unknown = document[name] ?? null;
    record[name] = field.isJson === true && value !== null ? JSON.parse(value as string) : value;
  }
  return record as unknown as T;
}

/**
 * Returns the validator of documents with the fields (JSON Schema as MongoDB has it). Fields that it does not name are
 * allowed and nullable ones may be missing, so that the version before and the one after can write as well.
 */
export function validatorOf(fields: Fields): Document {
  const entries = Object.entries(fields);
  const properties = entries.map(([name, { bsonType, isNullable }]) => [
    name,
    { bsonType: isNullable === true ? [bsonType, 'null'] : bsonType },
  ]);
  const required = entries.filter(([, { isNullable }]) => isNullable !== true).map(([name]) => name);
  return {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', ...required],
      properties: { _id: { bsonType: 'string' }, ...Object.fromEntries(properties) },
    },
  };
}
