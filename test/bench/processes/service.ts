// The whole service: `node service.ts '<environment as JSON>'`; without MONGODB_URL on an embedded store of its own.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { startService } from '../../service/start-service.ts';
import { serveMeasurements } from '../chat/process.ts';
import { seedForLoad } from './seed-for-load.ts';

const env = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const { port } = await startService(
  { IP_RATE_LIMIT: '1000000000', ...env },
  env.MONGODB_URL === undefined ? { store: await openEmbedded() } : {},
);
serveMeasurements(port);

async function openEmbedded() {
  const store = openSqliteStore({ path: join(mkdtempSync(join(tmpdir(), 'service-bench-')), 'service.db') });
  await seedForLoad(store);
  return store;
}
