import { type Db, type IndexDescription, MongoServerError } from 'mongodb';
import { collections } from './collections.ts';
import { type Fields, validatorOf } from './fields.ts';
import { type Index, indexes } from './indexes.ts';

const namespaceExists = 48;

/**
 * A server that has no validators says so in one of these ways: CommandNotFound, InvalidOptions, CommandNotSupported,
 * NotImplemented (FerretDB), "Feature not supported" (Amazon DocumentDB).
 */
const unsupported = [59, 72, 115, 238, 303];

/** The role `readWrite` may create a collection with a validator, and not change it. */
const unauthorized = 13;

/**
 * Brings collections, validators and indexes to what the tables say. What is there already stays as it is.
 *
 * A server without validators, and an account that may not change them, keep those that are there, or none: they are the
 * second line behind the types.
 */
export async function applySchema(database: Db): Promise<void> {
  for (const [name, fields] of Object.entries<Fields>(collections)) {
    const validator = validatorOf(fields);
    const created = await outcome(database.createCollection(name, { validator }), [
      namespaceExists,
      ...unsupported,
    ]);
    if (created === namespaceExists) {
      await outcome(database.command({ collMod: name, validator }), [unauthorized, ...unsupported]);
    } else if (created !== undefined) {
      await outcome(database.createCollection(name), [namespaceExists]);
    }
    const own = indexes.filter(({ collection }) => collection === name);
    if (own.length > 0) await database.collection(name).createIndexes(own.map(toDescription));
  }
}

/** Undefined when it succeeds; the code when it fails with one of the codes. */
async function outcome(operation: Promise<unknown>, codes: readonly number[]): Promise<number | undefined> {
  try {
    await operation;
    return undefined;
  } catch (error) {
    const code = error instanceof MongoServerError ? Number(error.code) : undefined;
    if (code !== undefined && codes.includes(code)) return code;
    throw error;
  }
}

function toDescription({ name, keys, uniqueFor, sparse, expireAfterSeconds }: Index): IndexDescription {
  return {
    name,
    key: { ...keys },
    ...(uniqueFor !== undefined && { unique: true }),
    ...(sparse === true && { sparse }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  };
}
