import { MongoServerError } from 'mongodb';
import { StoreConflict } from '../../ports/store.ts';
import { indexes } from './indexes.ts';

const duplicateKey = 11_000;

/** Returns what a port's caller meets for `error`: a StoreConflict when a unique value was taken, else `error`. */
export function toStoreFailure(error: unknown): unknown {
  if (!(error instanceof MongoServerError) || error.code !== duplicateKey) return error;
  // "E11000 duplicate key error collection: db.users index: users_by_email dup key: …"
  const name = /\bindex: (\S+)/.exec(error.message)?.[1];
  return new StoreConflict(indexes.find((index) => index.name === name)?.uniqueFor ?? 'id');
}
