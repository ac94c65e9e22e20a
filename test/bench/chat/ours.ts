// The whole service on an embedded store in a folder of its own: `node ours.ts <model server's port>`.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { seed } from '../../service/seed.ts';
import { startService } from '../../service/start-service.ts';
import { serveMeasurements } from './process.ts';

const store = openSqliteStore({ path: join(mkdtempSync(join(tmpdir(), 'service-bench-')), 'service.db') });
await seed(store, {
  apiKey: { rateLimitPerHour: 1_000_000, tokenBudget: 1_000_000_000_000 },
  organization: { tokenPool: 1_000_000_000_000, models: ['4-20', '4-200', '100-50'] },
});
const { port } = await startService(
  {
    OPENAI_BASE_URL: `http://127.0.0.1:${process.argv[2]}/v1`,
    OPENAI_API_KEY: 'key',
    IP_RATE_LIMIT: '1000000000',
  },
  { store },
);
serveMeasurements(port);
