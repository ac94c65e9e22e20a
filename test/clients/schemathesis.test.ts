import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { describeWith, venvProgram } from '../programs.ts';
import { seed, token } from '../service/seed.ts';
import { startService } from '../service/start-service.ts';

const run = promisify(execFile);

/** What every answer is held to: the description must name its status, its media type and its shape. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

describeWith(
  { name: 'schemathesis (.venv)', path: venvProgram('schemathesis') },
  'driven by its own description',
  () => {
    test('the service fails nowhere and answers nothing that it does not describe', {
      timeout: 300_000,
    }, async () => {
      const store = openSqliteStore({ path: ':memory:' });
      await seed(store, {
        apiKey: {
          rateLimitPerHour: 1_000_000,
          tokenBudget: null,
          scopes: ['chat', 'excel', 'pdf', 'pptx', 'docx'],
        },
      });
      const service = await startService(
        { IP_RATE_LIMIT: '1000000', IP_AUTH_FAILURE_LIMIT: '1000000' },
        { store },
      );
      const folder = mkdtempSync(join(tmpdir(), 'schemathesis-'));
      try {
        const { stdout } = await run(
          venvProgram('schemathesis') as string,
          [
            ...['run', `${service.url}/openapi.json`, '--url', service.url],
            ...['--header', `Authorization: Bearer ${token}`],
            ...['--checks', checks.join(',')],
            ...['--phases', 'coverage,fuzzing', '--max-examples', '25', '--seed', '7', '--no-color'],
          ],
          { cwd: folder, maxBuffer: 64 * 1_048_576 },
        ).catch((error: { readonly stdout: string; readonly stderr: string }) => {
          throw new Error(`${error.stdout}\n${error.stderr}`.slice(-20_000));
        });
        expect(Number(/(\d+) generated, \1 passed/.exec(stdout)?.[1])).toBeGreaterThan(300);
        expect(stdout).not.toContain('Rate limited');
      } finally {
        await service.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
);
