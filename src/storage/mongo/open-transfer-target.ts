import type { TransferTarget } from '../../ports/store-transfer.ts';
import { collections } from './collections.ts';
import { connect, databaseName } from './connect.ts';
import { clientOptions, defaultTimeouts } from './database.ts';
import { beginImport, endImport, isImporting } from './import-state.ts';
import { migrate } from './migrate.ts';
import { transferForms } from './transfer-records.ts';

/**
 * Opens a database on MongoDB to move records into it.
 *
 * @throws Error as `openMongoStore` does.
 */
export async function openTransferTarget(url: string): Promise<TransferTarget> {
  // Whole collections are read and emptied here, for as long as that takes.
  const client = await connect(url, { ...clientOptions(defaultTimeouts), socketTimeoutMS: 0 });
  const database = client.db(databaseName(url));
  const names = Object.keys(collections);
  return {
    async begin(nowMs) {
      await migrate(database, { now: Date.now });
      if (await isImporting(database)) {
        for (const name of names) await database.collection(name).deleteMany({});
        return;
      }
      for (const name of names) {
        if ((await database.collection(name).findOne({})) !== null) {
          throw new Error(`the MongoDB database ${database.databaseName} is not empty: it has ${name}`);
        }
      }
      await beginImport(database, nowMs);
    },

    isOver(kind, record, nowMs) {
      const { expireAt } = transferForms[kind].toDocument(record);
      return expireAt instanceof Date && expireAt.getTime() <= nowMs;
    },

    async write(kind, records) {
      const { collection, toDocument } = transferForms[kind];
      const documents = records.map((record) => toDocument(record));
      await database.collection(collection).insertMany(documents, { ordered: false });
    },

    async *read(kind) {
      const { collection, fromDocument } = transferForms[kind];
      for await (const document of database.collection(collection).find({})) yield fromDocument(document);
    },

    finish: () => endImport(database),
    close: () => client.close(),
  };
}
