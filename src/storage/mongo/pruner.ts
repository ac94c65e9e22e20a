import type { Document } from 'mongodb';
import type { Database } from './database.ts';
import type { Query } from './queries.ts';

/** How long after its lease ended an unsettled amount is remembered for a late settlement. */
const lateSettlementMs = 86_400_000;

const intervalMs = 3_600_000;

/** Documents whose last pruning is held in memory. */
const documentsMax = 10_000;

/**
 * Returns a function that removes from a document's map what ended a day ago and was never settled; at most once an
 * hour for each document, not at its first use.
 */
export function createPruner(
  database: Database,
  map: string,
): (query: Query, nowMs: number) => Promise<void> {
  const prunedAtMs = new Map<string, number>();
  return async (query, nowMs) => {
    const id: string = query.filter._id;
    const lastMs = prunedAtMs.get(id);
    if (lastMs !== undefined && nowMs - lastMs < intervalMs) return;
    if (prunedAtMs.size >= documentsMax) prunedAtMs.clear();
    prunedAtMs.set(id, nowMs);
    if (lastMs === undefined) return;
    const document = await database.findOne(query);
    const held = Object.entries<Document>(document?.[map] ?? {});
    const ended = held.filter(([, { leaseEndsAtMs }]) => leaseEndsAtMs <= nowMs - lateSettlementMs);
    // An ended lease is never renewed, so that what is removed is what was read.
    const names = ended.map(([name]) => [`${map}.${name}`, '']);
    if (names.length > 0) await database.update(query, { $unset: Object.fromEntries(names) });
  };
}
