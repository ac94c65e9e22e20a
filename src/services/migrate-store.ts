import { hash } from 'node:crypto';
import {
  type RecordKind,
  recordKinds,
  type StoredRecords,
  type TransferSource,
  type TransferTarget,
} from '../ports/store-transfer.ts';

/** Records that are written at once. */
const batchSize = 200;

/** What there is of a kind of record. */
export interface KindSummary {
  readonly kind: RecordKind;
  readonly count: number;
  /** Records whose time is over, which were left behind. */
  readonly over: number;
  /** Of all records in any order, hexadecimal. */
  readonly contentHash: string;
}

/**
 * Moves every record of a store to an empty one, reads all of them back, and opens the target only when each kind has
 * the same number of records with the same content. All or nothing: a target that was not finished cannot be opened,
 * and the next try begins anew.
 *
 * @throws Error when the target is not empty, or holds something else than was read.
 */
export async function migrateStore(
  source: TransferSource,
  target: TransferTarget,
  nowMs: number,
): Promise<readonly KindSummary[]> {
  await target.begin(nowMs);
  const moved: KindSummary[] = [];
  for (const kind of recordKinds) moved.push(await moveKind(kind, source, target, nowMs));
  for (const { kind, count, contentHash } of moved) {
    const found = summarize(kind);
    for await (const record of target.read(kind)) found.add(record);
    const { count: foundCount, contentHash: foundHash } = found.summary();
    if (foundCount !== count || foundHash !== contentHash) {
      throw new Error(`${kind} are not what was moved: ${foundCount} of ${count} records, or other content`);
    }
  }
  await target.finish();
  return moved;
}

async function moveKind<Kind extends RecordKind>(
  kind: Kind,
  source: TransferSource,
  target: TransferTarget,
  nowMs: number,
): Promise<KindSummary> {
  const summary = summarize(kind);
  let over = 0;
  let batch: StoredRecords[Kind][] = [];
  for await (const record of source.read(kind)) {
    if (target.isOver(kind, record, nowMs)) {
      over += 1;
      continue;
    }
    summary.add(record);
    batch.push(record);
    if (batch.length < batchSize) continue;
    await target.write(kind, batch);
    batch = [];
  }
  if (batch.length > 0) await target.write(kind, batch);
  return { ...summary.summary(), over };
}

/** Adds up the hashes of records modulo 2^256, so that their order does not matter. */
function summarize(kind: RecordKind) {
  let count = 0;
  let sum = 0n;
  return {
    add(record: object): void {
      count += 1;
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hash('sha256', canonical(record), 'hex')}`));
    },
    summary: () => ({ kind, count, contentHash: sum.toString(16).padStart(64, '0') }),
  };
}

/**
 * JSON with sorted keys. A field that is null is as one that is missing, which it was before a version added it; strings
 * are well-formed, as every store writes them.
 */
function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${canonical(key)}:${canonical(inner)}`).join()}}`;
}
