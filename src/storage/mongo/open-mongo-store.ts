import { systemClock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { openAgents } from './agents.ts';
import { openApiKeys } from './api-keys.ts';
import { openAuditEvents } from './audit-events.ts';
import { connect, databaseName } from './connect.ts';
import { openConnections } from './connections.ts';
import { openConversations } from './conversations.ts';
import { clientOptions, defaultTimeouts, openDatabase, type Timeouts } from './database.ts';
import { assertWhole } from './import-state.ts';
import { openJobs } from './jobs.ts';
import { openLedger } from './ledger.ts';
import { isUpToDate, migrate } from './migrate.ts';
import { type OnlyPlace, takeOnlyPlace } from './only-place.ts';
import { openOrganizations } from './organizations.ts';
import { openReplayMemory } from './replay-memory.ts';
import { openRuns } from './runs.ts';
import { openSessions } from './sessions.ts';
import { openTurns } from './turns.ts';
import { openUsageWindows } from './usage-windows.ts';
import { openUsers } from './users.ts';

export interface MongoStoreOptions {
  /** Connection string of a replica set, a standalone server or a compatible one; its database is `service` unless said. */
  readonly url: string;
  readonly timeouts?: Timeouts;
  /**
   * Whether this process counts in its own memory what several would have to share: it then refuses to open while
   * another such process has the database open.
   */
  readonly isAlone?: boolean;
}

/**
 * Opens the store on MongoDB, for one process; any number of processes may have the same database open. The first one
 * brings the schema up to date. A server that goes away makes operations reject within seconds, and they work again
 * once it is back.
 *
 * @throws Error when the connection string is not valid, no server can be reached in time, or the database was written
 *   by a version of the service that says that this one cannot read it.
 */
export async function openMongoStore({
  url,
  timeouts = defaultTimeouts,
  isAlone = false,
}: MongoStoreOptions): Promise<Store> {
  const client = await connect(url, clientOptions(timeouts));
  const name = databaseName(url);
  let place: OnlyPlace | undefined;
  try {
    await assertWhole(client.db(name));
    if (!(await isUpToDate(client.db(name)))) await bringUpToDate(url, timeouts);
    if (isAlone) place = await takeOnlyPlace(client.db(name), systemClock);
  } catch (error) {
    await client.close();
    throw error;
  }
  const database = openDatabase(client, { name, timeouts, assertAllowed: place?.assertHeld });
  return {
    organizations: openOrganizations(database),
    users: openUsers(database),
    sessions: openSessions(database),
    apiKeys: openApiKeys(database),
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
    ping: database.ping,
    async close() {
      // Not before the operations under way: each asks for the place.
      await database.close(() => place?.leave());
    },
  };
}

/** On a connection of its own, on which an index may take as long as it needs. */
async function bringUpToDate(url: string, timeouts: Timeouts): Promise<void> {
  const client = await connect(url, { ...clientOptions(timeouts), socketTimeoutMS: 0 });
  try {
    await migrate(client.db(databaseName(url)), systemClock);
  } finally {
    await client.close();
  }
}
