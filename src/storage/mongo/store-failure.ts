import { MongoError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { ServiceError } from '../../domain/errors.ts';
import { StoreConflict } from '../../ports/store.ts';
import { indexes } from './indexes.ts';

const duplicateKey = 11_000;

/** Codes of a server that is there and cannot serve now: it shuts down, is no primary (any more), or ran out of time. */
const passingCodes = new Set([50, 64, 91, 189, 262, 10_107, 11_600, 11_602, 13_435, 13_436]);

/**
 * Returns what a port's caller meets for `error`: a StoreConflict when a unique value was taken,
 * `entitlement_check_failed` when the server was away or did not answer, else `error`.
 */
export function toStoreFailure(error: unknown): unknown {
  if (error instanceof MongoServerError && error.code === duplicateKey) {
    // "E11000 duplicate key error collection: db.users index: users_by_email dup key: …"
    const name = /\bindex: (\S+)/.exec(error.message)?.[1];
    return new StoreConflict(indexes.find((index) => index.name === name)?.uniqueFor ?? 'id');
  }
  return isOutage(error) ? storeUnavailable(error) : error;
}

/** The failure of an operation whose outcome is unknown, because nobody answered. */
export function storeUnavailable(cause: unknown): ServiceError {
  const detail = 'The records of the service cannot be reached at the moment.';
  return new ServiceError('entitlement_check_failed', { detail, cause });
}

/** What the driver itself throws is about the way to the server: the adapter's arguments are in order. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (!(error instanceof MongoServerError) || error instanceof MongoWriteConcernError) return true;
  return passingCodes.has(Number(error.code));
}
