import { Socket } from 'node:net';
import { Client, DatabaseError } from 'pg';
import { SqlFailure, type SqlRequest, tooLate, tooWide } from '../sql-driver.ts';
import { watchSocket } from '../watch-socket.ts';
import { cancelPostgres } from './cancel-postgres.ts';

/** How long past its own timeout the server is given to say that the time is up. */
const graceMs = 1_000;
const farewellMs = 2_000;

/**
 * Opens a connection, gives it to `use` and ends it, whatever happens: when the signal aborts, when the time is up or
 * when too much arrives, the statement is cancelled on the server and the connection destroyed.
 *
 * @throws SqlFailure; the signal's reason.
 */
export async function withPostgres<T>(
  url: string,
  { limits, signal }: Pick<SqlRequest, 'limits' | 'signal'>,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const socket = new Socket();
  const client = openClient(url, socket, limits.connectTimeoutMs);
  let ended: unknown;
  const end = (reason: unknown) => {
    if (ended !== undefined) return;
    ended = reason;
    cancelPostgres(client);
    socket.destroy();
  };
  const onAbort = () => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const stopWatching = watchSocket(socket, () => end(tooWide));
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect().catch((cause: unknown) => {
      throw new SqlFailure('connection', connectMessage, cause);
    });
    timer = setTimeout(() => end(tooLate(limits)), limits.statementTimeoutMs + graceMs);
    return await use(client);
  } catch (error) {
    throw ended ?? toSqlFailure(error);
  } finally {
    clearTimeout(timer);
    stopWatching();
    signal.removeEventListener('abort', onAbort);
    socket.setTimeout(farewellMs, () => socket.destroy());
    client.end().then(
      () => socket.destroy(),
      () => socket.destroy(),
    );
  }
}

const connectMessage = 'the database could not be reached';

function openClient(connectionString: string, socket: Socket, connectionTimeoutMillis: number): Client {
  try {
    const client = new Client({ connectionString, connectionTimeoutMillis, stream: () => socket });
    // The queries under way hear of a lost connection themselves.
    client.on('error', () => {});
    return client;
  } catch (cause) {
    throw new SqlFailure('connection', connectMessage, cause);
  }
}

function toSqlFailure(error: unknown): unknown {
  if (error instanceof SqlFailure) return error;
  if (!(error instanceof DatabaseError)) {
    return new SqlFailure('connection', 'the connection to the database broke', error);
  }
  const hint = error.hint === undefined ? '' : ` Hint: ${error.hint}`;
  const position = error.position === undefined ? '' : ` (at character ${error.position})`;
  return new SqlFailure('statement', `${error.message}${position}${hint}`, error);
}
