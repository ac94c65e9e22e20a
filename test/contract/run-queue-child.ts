/**
 * A process that takes a job and never gives it back: `node run-queue-child.ts <opener module> <location>`. It prints
 * the id.
 */
import type { OpenedQueue } from './run-queue-contract.ts';

const [opener = '', location = ''] = process.argv.slice(2);
const { openQueue } = (await import(opener)) as { openQueue(location: string): Promise<OpenedQueue> };
const { queue } = await openQueue(location);
queue.work((id) => {
  process.stdout.write(`${id}\n`);
  return new Promise(() => undefined);
}, 1);
