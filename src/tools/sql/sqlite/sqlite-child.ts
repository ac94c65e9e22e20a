import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type { SqliteAnswer, SqliteRequest } from './sqlite-request.ts';

/**
 * The process of one statement. SQLite runs in a thread of it, so that this one can end the whole process at any time:
 * nothing else stops a statement of SQLite that runs.
 */
const graceMs = 1_000;
const memoryBytesMax = 512 * 1_048_576;
const lookEveryMs = 20;

process.once('message', (message) => {
  const request = message as SqliteRequest;
  setTimeout(end, request.limits.statementTimeoutMs + graceMs);
  setInterval(watchMemory, lookEveryMs);
  const worker = new Worker(new URL('sqlite-worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  worker.once('message', send);
  worker.once('error', (error) => send({ ok: false, blame: 'statement', message: error.message }));
});

// The service has gone, and nobody waits for the answer.
process.once('disconnect', end);

function watchMemory(): void {
  if (process.memoryUsage.rss() <= memoryBytesMax) return;
  send({ ok: false, blame: 'statement', message: 'the statement needs too much memory' });
}

function send(answer: SqliteAnswer): void {
  process.send?.(answer);
}

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
