import { MongoClient, type MongoClientOptions, MongoParseError } from 'mongodb';

/** Taken when the connection string names no database. */
const defaultDatabase = 'service';

/**
 * Connects to a server.
 *
 * @throws Error when the connection string is not valid or no server can be reached in time. It says which servers, and
 *   nothing of the credentials.
 */
export async function connect(url: string, options: MongoClientOptions): Promise<MongoClient> {
  const client = createClient(url, options);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.close();
    const servers = client.options.hosts.map(String).join(', ') || (client.options.srvHost ?? '');
    throw new Error(`MongoDB at ${servers} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the database that a connection string names. */
export function databaseName(url: string): string {
  const name = /^[a-z+]+:\/\/[^/]+\/([^/?]+)/.exec(url)?.[1];
  return name === undefined ? defaultDatabase : decodeURIComponent(name);
}

function createClient(url: string, options: MongoClientOptions): MongoClient {
  try {
    return new MongoClient(url, options);
  } catch (error) {
    // The text itself may hold a password and is not repeated.
    const reason = error instanceof MongoParseError ? '' : `: ${messageOf(error)}`;
    throw new Error(`MONGODB_URL is not a valid connection string${reason}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
