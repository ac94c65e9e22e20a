import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Overrides } from '../../src/compose.ts';
import { parseConfig } from '../../src/config.ts';
import type { Store } from '../../src/ports/store.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

/** The whole service on a free loopback port, with a folder of its own. */
export interface RunningService {
  readonly url: string;
  /** 0 in a process that only works. */
  readonly port: number;
  /** Of probes and metrics. */
  readonly adminUrl: string;
  readonly store: Store;
  /** The key that the first start created; empty when the store was given. */
  readonly apiKey: string;
  stop(): Promise<void>;
}

/** Starts the service on an empty embedded store, or on the store of `overrides`. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'service-'));
  const { config, secrets } = parseConfig({
    PORT: '0',
    DATA_DIR: folder,
    PUBLIC_URL: 'http://service.test',
    SHUTDOWN_TIMEOUT_MS: '2000',
    WORKER_THREADS: '1',
    ...env,
  });
  const app = await compose(config, secrets, { logger: createLogger('silent'), ...overrides });
  const { port: publicPort, adminPort } = await app.listen();
  const port = publicPort ?? 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    store: app.store,
    apiKey: app.firstStart?.apiKey?.key ?? '',
    async stop() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
