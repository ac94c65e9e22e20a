import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { hashApiKeyToken } from '../../../src/domain/api-key-token.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { seed, token } from '../../service/seed.ts';

test('look-ups that arrive in one round of the event loop all see what another process committed meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'principals-'));
  const path = join(folder, 'service.db');
  const store = openSqliteStore({ path });
  const other = new DatabaseSync(path);
  onTestFinished(async () => {
    other.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await seed(store);
  const keyHash = hashApiKeyToken(token);
  const known = await store.apiKeys.findPrincipal(keyHash);
  const first = store.apiKeys.findPrincipal(keyHash);
  other.exec(`UPDATE organizations SET document = json_set(document, '$.suspended', json('true'))`);
  const second = store.apiKeys.findPrincipal(keyHash);
  const suspended = [known, await first, await second].map((principal) => principal?.organization.suspended);
  expect(suspended).toEqual([false, true, true]);
});
