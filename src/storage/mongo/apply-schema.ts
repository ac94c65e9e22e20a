import { type Db, type IndexDescription, MongoServerError } from 'mongodb';
import { collections } from './collections.ts';
import { type Fields, validatorOf } from './fields.ts';
import { type Index, indexes } from './indexes.ts';

const commandNotFound = 59;
const namespaceExists = 48;

/**
 * Brings collections, validators and indexes to what the tables say. What is there already stays as it is.
 *
 * A server that cannot change validators keeps those that it has, or none: they are the second line behind the types.
 */
export async function applySchema(database: Db): Promise<void> {
  for (const [name, fields] of Object.entries<Fields>(collections)) {
    const validator = validatorOf(fields);
    const isNew = await succeeds(database.createCollection(name, { validator }), namespaceExists);
    if (!isNew) await succeeds(database.command({ collMod: name, validator }), commandNotFound);
    const own = indexes.filter(({ collection }) => collection === name);
    if (own.length > 0) await database.collection(name).createIndexes(own.map(toDescription));
  }
}

/** False when it fails with the code. */
async function succeeds(operation: Promise<unknown>, code: number): Promise<boolean> {
  try {
    await operation;
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === code) return false;
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
