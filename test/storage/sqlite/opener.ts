import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../src/ports/store.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import type { StorePlace } from '../../contract/store-contract.ts';

/** How the contract's processes open the embedded store. */
export async function openStore(location: string): Promise<Store> {
  return openSqliteStore({ path: location });
}

/** Returns a folder of its own for a store. */
export async function createSqlitePlace(): Promise<StorePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'service-store-'));
  return {
    opener: new URL(import.meta.url),
    location: join(folder, 'service.db'),
    remove: async () => rmSync(folder, { recursive: true }),
  };
}
