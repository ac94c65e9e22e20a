import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SqlFailure, tooLate } from '../sql-driver.ts';
import type { SqliteAnswer, SqliteRequest } from './sqlite-request.ts';

type Success = Extract<SqliteAnswer, { ok: true }>;

/**
 * Asks a child process of its own, which is killed when the signal aborts or the time is up.
 *
 * @throws SqlFailure; the signal's reason.
 */
export async function askSqlite<Task extends SqliteRequest['task']>(
  request: SqliteRequest & { readonly task: Task },
  signal: AbortSignal,
): Promise<Extract<Success, { task: Task }>> {
  signal.throwIfAborted();
  const child = fork(fileURLToPath(new URL('sqlite-child.ts', import.meta.url)), {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, request.limits.statementTimeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const answer = await answerOf(child, request);
    signal.throwIfAborted();
    if (answer === undefined) throw tooLate(request.limits);
    if (answer.ok) return answer as Extract<Success, { task: Task }>;
    throw toSqlFailure(answer);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/** Returns undefined when the process was ended before it could answer. */
function answerOf(child: ChildProcess, request: SqliteRequest): Promise<SqliteAnswer | undefined> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as SqliteAnswer));
    child.once('error', (cause) =>
      reject(new SqlFailure('connection', 'SQLite could not be started', cause)),
    );
    child.once('exit', () => resolve(undefined));
    child.send(request, (error) => {
      if (error !== null) reject(new SqlFailure('connection', 'SQLite could not be started', error));
    });
  });
}

function toSqlFailure({ blame, message }: Extract<SqliteAnswer, { ok: false }>): SqlFailure {
  if (blame === 'statement') return new SqlFailure('statement', message);
  return new SqlFailure('connection', 'the database could not be opened', new Error(message));
}
