import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Store } from '../../../src/ports/store.ts';
import { openMongoStore } from '../../../src/storage/mongo/open-mongo-store.ts';
import type { StorePlace } from '../../contract/store-contract.ts';
import type { MongoServer } from '../../mongo-server.ts';

/** How the contract's processes open the store. */
export async function openStore(location: string): Promise<Store> {
  return openMongoStore({ url: location });
}

/** Returns a database of its own for a store. */
export async function createMongoPlace({ url }: MongoServer): Promise<StorePlace> {
  const location = databaseUrl(url, `test-${randomUUID()}`);
  return {
    opener: new URL(import.meta.url),
    location,
    async remove() {
      const client = await MongoClient.connect(location);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** The server's URL may have options. */
function databaseUrl(url: string, name: string): string {
  const [servers, options] = url.split('?');
  const address = `${servers?.replace(/\/$/, '')}/${name}`;
  return options === undefined ? address : `${address}?${options}`;
}
