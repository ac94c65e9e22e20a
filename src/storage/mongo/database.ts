import type { Collection, Document, MongoClient, MongoClientOptions, WriteConcern } from 'mongodb';
import type { CollectionName } from './collections.ts';
import type { Query } from './queries.ts';
import { storeUnavailable, toStoreFailure } from './store-failure.ts';

/** How long an operation may take before it rejects, whatever hangs; milliseconds. */
export interface Timeouts {
  /** To find a server that takes the operation, and to connect to it. */
  readonly selectionMs: number;
  /** For the server to answer. */
  readonly answerMs: number;
}

export const defaultTimeouts: Timeouts = { selectionMs: 3_000, answerMs: 5_000 };

/** A write, or a deletion, of one document. */
export interface Change {
  readonly $set?: Document;
  readonly $unset?: Document;
  readonly $inc?: Document;
  readonly $max?: Document;
  readonly $min?: Document;
  readonly $push?: Document;
  readonly $setOnInsert?: Document;
}

/**
 * The one way to the server: every operation is one command about one query, and changes one document at a time.
 *
 * Writes are acknowledged by the majority of a replica set with its journal, so that no election or restart loses them;
 * reads go to the primary. An operation that fails has an unknown outcome, as one whose process died.
 *
 * @throws `entitlement_check_failed` from every operation when the server does not answer.
 */
export interface Database {
  findOne(query: Query): Promise<Document | undefined>;
  find(query: Query): Promise<Document[]>;
  /** The first document that comes out of the stages for what the query finds. */
  aggregateOne(query: Query, stages: readonly Document[]): Promise<Document | undefined>;
  /** @throws StoreConflict */
  insert(collection: CollectionName, document: Document): Promise<void>;
  /**
   * Changes the first document that the query finds. False when there is none. With `upsert`, it is created from the
   * query's equalities and the change instead.
   *
   * @throws StoreConflict also when an upsert meets a document with the id that the query does not find.
   */
  update(query: Query, change: Change, options?: UpdateOptions): Promise<boolean>;
  /** Changes the first document that the query finds and returns it after the change. */
  findAndUpdate(query: Query, change: Change): Promise<Document | undefined>;
  /** Changes what the query finds, one document after the other. */
  updateAll(query: Query, change: Change): Promise<void>;
  delete(query: Query): Promise<boolean>;
  /** Deletes what the query finds, one document after the other. */
  deleteAll(query: Query): Promise<void>;
  /** Resolves when the primary answers. */
  ping(): Promise<void>;
  /** Waits for the operations under way, does what is `last`, and lets go of the connections. Later operations reject. */
  close(last?: () => Promise<void> | undefined): Promise<void>;
}

export interface UpdateOptions {
  readonly upsert?: true;
  /** Whether an election or a crash of the server may lose it. */
  readonly isExpendable?: true;
}

const durable = { w: 'majority', journal: true, wtimeoutMS: 4_000 } as const;
const expendable = { w: 1 } as unknown as WriteConcern;

/** Returns the options of a client. What the URL says of other settings holds. */
export function clientOptions({ selectionMs, answerMs }: Timeouts): MongoClientOptions {
  return {
    appName: 'service',
    serverSelectionTimeoutMS: selectionMs,
    connectTimeoutMS: selectionMs,
    waitQueueTimeoutMS: selectionMs,
    socketTimeoutMS: answerMs,
    writeConcern: durable,
    readPreference: 'primary',
    ignoreUndefined: true,
  };
}

export interface DatabaseOptions {
  readonly name: string;
  readonly timeouts: Timeouts;
  /** Asked before each operation, which it can refuse by throwing. */
  readonly assertAllowed?: (() => void) | undefined;
}

/** Wraps the client of a connected server and closes it with the database. */
export function openDatabase(
  client: MongoClient,
  { name, timeouts, assertAllowed }: DatabaseOptions,
): Database {
  const database = client.db(name);
  const collections = new Map<CollectionName, Collection>();
  const pending = new Set<Promise<unknown>>();
  const deadlineMs = timeouts.selectionMs + timeouts.answerMs;
  let closed: Promise<void> | undefined;

  function collection(name: CollectionName): Collection {
    const known = collections.get(name) ?? database.collection(name);
    collections.set(name, known);
    return known;
  }

  async function attempt<T>(operation: () => Promise<T>): Promise<T> {
    assertAllowed?.();
    return operation();
  }

  function run<T>(operation: () => Promise<T>): Promise<T> {
    if (closed !== undefined) return Promise.reject(new Error('the store is closed'));
    const result = new Promise<T>((resolve, reject) => {
      // The driver tries some operations twice, each within its own time.
      const late = () => reject(storeUnavailable(new Error(`no answer after ${deadlineMs} ms`)));
      const timer = setTimeout(late, deadlineMs);
      attempt(operation)
        .then(resolve, (error: unknown) => reject(toStoreFailure(error)))
        .finally(() => clearTimeout(timer));
    });
    const settled = result.then(ignore, ignore);
    pending.add(settled);
    settled.finally(() => pending.delete(settled));
    return result;
  }

  async function end(last?: () => Promise<void> | undefined): Promise<void> {
    await Promise.all(pending);
    try {
      await last?.();
    } finally {
      await client.close();
    }
  }

  const find = ({ collection: name, filter, sort, skip, limit, projection }: Query) =>
    collection(name).find(filter, {
      ...(sort !== undefined && { sort }),
      ...(skip !== undefined && { skip }),
      ...(limit !== undefined && { limit }),
      ...(projection !== undefined && { projection }),
    });

  return {
    find: (query) => run(() => find(query).toArray()),

    findOne: async (query) => (await run(() => find({ ...query, limit: 1 }).toArray()))[0],

    aggregateOne: async ({ collection: name, filter }, stages) =>
      (
        await run(() =>
          collection(name)
            .aggregate([{ $match: filter }, { $limit: 1 }, ...stages])
            .toArray(),
        )
      )[0],

    insert: (name, document) => run(async () => void (await collection(name).insertOne(document))),

    update: ({ collection: name, filter }, change, { upsert, isExpendable } = {}) =>
      run(async () => {
        const { matchedCount, upsertedCount } = await collection(name).updateOne(filter, given(change), {
          ...(upsert === true && { upsert }),
          ...(isExpendable === true && { writeConcern: expendable }),
        });
        return matchedCount + upsertedCount > 0;
      }),

    findAndUpdate: ({ collection: name, filter, sort }, change) =>
      run(async () => {
        const options = { returnDocument: 'after', ...(sort !== undefined && { sort }) } as const;
        return (await collection(name).findOneAndUpdate(filter, given(change), options)) ?? undefined;
      }),

    updateAll: ({ collection: name, filter }, change) =>
      run(async () => void (await collection(name).updateMany(filter, given(change)))),

    delete: ({ collection: name, filter }) =>
      run(async () => (await collection(name).deleteOne(filter)).deletedCount > 0),

    deleteAll: ({ collection: name, filter }) =>
      run(async () => void (await collection(name).deleteMany(filter))),

    ping: () => run(async () => void (await database.command({ ping: 1 }))),

    close(last) {
      closed ??= end(last);
      return closed;
    },
  };
}

/** Servers refuse an operator without fields. */
function given(change: Change): Document {
  return Object.fromEntries(
    Object.entries(change).filter(([, fields]) => Object.keys(fields as Document).length > 0),
  );
}

function ignore(): void {}
