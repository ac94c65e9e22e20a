import { StoreConflict } from '../../ports/store.ts';

const uniqueFailure = /^UNIQUE constraint failed: (.+)$/;

/** Returns what a port's caller meets for `error`: a StoreConflict when a unique value was taken, else `error`. */
export function toStoreFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const columns = uniqueFailure.exec(error.message)?.[1];
  if (columns === undefined) return error;
  // "users.organization_id, users.email" or "users.email": the last column is the one that collided.
  const column = columns.slice(columns.lastIndexOf('.') + 1);
  return new StoreConflict(column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}
