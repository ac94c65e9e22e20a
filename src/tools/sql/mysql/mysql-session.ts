import { Socket } from 'node:net';
import { type Connection, type ConnectionOptions, createConnection, type QueryError } from 'mysql2';
import { SqlFailure, type SqlRequest, tooLate, tooWide } from '../sql-driver.ts';
import { watchSocket } from '../watch-socket.ts';
import { toConnectionOptions } from './mysql-options.ts';

/** How long past its own timeout the server is given to say that the time is up. */
const graceMs = 1_000;
const farewellMs = 2_000;

const connectMessage = 'the database could not be reached';
const brokenMessage = 'the connection to the database broke';

/** One connection, for as long as it is used. */
export interface MysqlSession {
  readonly connection: Connection;
  /** Runs a statement of the service's own and returns its rows. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends the connection at once, with what it is doing. */
  leave(): void;
}

/**
 * Opens a connection, gives it to `use` and ends it, whatever happens: when the signal aborts, when the time is up or
 * when too much arrives, the statement is killed on the server and the connection destroyed.
 *
 * @throws SqlFailure; the signal's reason.
 */
export async function withMysql<T>(
  url: string,
  { limits, signal }: Pick<SqlRequest, 'limits' | 'signal'>,
  use: (session: MysqlSession) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const options = toConnectionOptions(url, limits.connectTimeoutMs);
  const socket = new Socket();
  const connection = createConnection({ ...options, stream: () => connectTo(socket, options) });
  let giveUp: (reason: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  ended.catch(() => {});
  let isConnected = false;
  connection.on('error', (cause) => {
    giveUp(new SqlFailure('connection', isConnected ? brokenMessage : connectMessage, cause));
  });
  const stop = (reason: unknown) => {
    giveUp(reason);
    killStatement(options, connection.threadId);
    connection.destroy();
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const stopWatching = watchSocket(socket, () => stop(tooWide));
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([connected(connection), ended]);
    isConnected = true;
    timer = setTimeout(() => stop(tooLate(limits)), limits.statementTimeoutMs + graceMs);
    const session = { connection, rows: rowsOf(connection), leave: () => connection.destroy() };
    return await Promise.race([use(session), ended]);
  } catch (error) {
    throw toSqlFailure(error, signal);
  } finally {
    clearTimeout(timer);
    stopWatching();
    signal.removeEventListener('abort', onAbort);
    socket.setTimeout(farewellMs, () => socket.destroy());
    connection.end(() => socket.destroy());
  }
}

function connectTo(socket: Socket, { host = 'localhost', port = 3_306 }: ConnectionOptions): Socket {
  socket.setNoDelay(true);
  return socket.connect(port, host);
}

function connected(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((cause) => {
      if (cause === null) resolve();
      else reject(new SqlFailure('connection', connectMessage, cause));
    });
  });
}

function rowsOf(connection: Connection): MysqlSession['rows'] {
  return (sql) =>
    new Promise((resolve, reject) => {
      connection.query({ sql, rowsAsArray: false }, (error, rows) => {
        if (error === null) resolve(rows as unknown as readonly Readonly<Record<string, unknown>>[]);
        else reject(error);
      });
    });
}

/** A server goes on with a statement whose client has left, so another connection ends it. Nobody waits for that. */
function killStatement(options: ConnectionOptions, threadId: number | null | undefined): void {
  if (typeof threadId !== 'number') return;
  const killer = createConnection({ ...options, connectTimeout: farewellMs });
  killer.on('error', () => {});
  killer.query(`KILL CONNECTION ${threadId}`, () => killer.destroy());
}

function toSqlFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof SqlFailure || (signal.aborted && error === signal.reason)) return error;
  const { sqlState, message } = error as QueryError;
  return sqlState === undefined
    ? new SqlFailure('connection', brokenMessage, error)
    : new SqlFailure('statement', message, error);
}
