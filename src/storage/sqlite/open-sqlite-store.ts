import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../../ports/store.ts';
import { openAgents } from './agents.ts';
import { openApiKeys } from './api-keys.ts';
import { openAuditEvents } from './audit-events.ts';
import { openConnections } from './connections.ts';
import { openConversations } from './conversations.ts';
import { openDatabase } from './database.ts';
import { openJobs } from './jobs.ts';
import { openLedger } from './ledger.ts';
import { type OnlyPlace, takeOnlyPlace } from './only-place.ts';
import { openOrganizations } from './organizations.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { openReplayMemory } from './replay-memory.ts';
import { openRuns } from './runs.ts';
import { openSessions } from './sessions.ts';
import { openTurns } from './turns.ts';
import { openUsageWindows } from './usage-windows.ts';
import { openUsers } from './users.ts';

export interface SqliteStoreOptions {
  /**
   * The store's file. It and its folder are created, readable by the service's user only. `:memory:` keeps all in memory,
   * for this process and until it is closed.
   */
  readonly path: string;
  /** How long a write waits for another process that is writing before it rejects; 5 seconds unless said. */
  readonly busyTimeoutMs?: number;
  /**
   * Whether this process counts in its own memory what several would have to share: it then refuses to open while
   * another such process has the file open.
   */
  readonly isAlone?: boolean;
}

/**
 * Opens the embedded store, for one process; any number of processes may have the same file open. The caller closes
 * it, which writes what is queued.
 *
 * @throws Error when the file cannot be opened, was written by a newer version of the service, or is another's alone.
 */
export function openSqliteStore({ path, busyTimeoutMs, isAlone = false }: SqliteStoreOptions): Store {
  if (path !== ':memory:') createPrivateFile(path);
  const place = isAlone ? takeOnlyPlace(`${path}.lock`) : undefined;
  const database = openBeside(place, () => openDatabase(path, busyTimeoutMs));
  const principals = createPrincipalCache(database);
  const header = database.prepare('PRAGMA schema_version');
  return {
    organizations: openOrganizations(database, principals),
    users: openUsers(database, principals),
    sessions: openSessions(database),
    apiKeys: openApiKeys(database, principals),
    connections: openConnections(database),
    auditEvents: openAuditEvents(database),
    ledger: openLedger(database),
    usageWindows: openUsageWindows(database),
    conversations: openConversations(database),
    turns: openTurns(database),
    agents: openAgents(database),
    runs: openRuns(database),
    replayMemory: openReplayMemory(database),
    jobs: openJobs(database),
    ping: async () => void header.get(),
    async close() {
      database.close();
      place?.leave();
    },
  };
}

/** Leaves the place when what it was taken for cannot be opened. */
function openBeside<T>(place: OnlyPlace | undefined, open: () => T): T {
  try {
    return open();
  } catch (error) {
    place?.leave();
    throw error;
  }
}

function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}
