/**
 * A process that works on runs until it is killed: `node worker-child.ts <store> <model server> <point> [speed]
 * [Redis]`. The point is a store's operation and how often it is called first, such as `runs.replace#2`: the process is killed as
 * soon as that call is durable. Writing tools append to `<store>.writes`. With the speed `fast`, leases are short; with a
 * Redis the queue is there.
 */
import { appendFileSync } from 'node:fs';
import { limits } from '../../../src/domain/limits.ts';
import { loadTokenizer } from '../../../src/models/tokenizer.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import type { Store } from '../../../src/ports/store.ts';
import { openBullmqQueue } from '../../queue/bullmq/opener.ts';
import { openStore } from '../../storage/sqlite/opener.ts';
import { childTools } from '../chat/child-call.ts';
import { buildRuntime } from './build-runtime.ts';
import { shortenLeases } from './short-leases.ts';

const [location = '', baseUrl = '', point = '', speed = '', redisUrl = ''] = process.argv.slice(2);

type Operations = Record<string, (...args: unknown[]) => Promise<unknown>>;

function dyingAt(store: Store): Store {
  const [, part = '', operation = '', count = '1'] = /^(\w+)\.(\w+)(?:#(\d+))?$/.exec(point) ?? [];
  const operations = (store as unknown as Record<string, Operations>)[part];
  const inner = operations?.[operation];
  if (operations === undefined || inner === undefined) return store;
  let calls = 0;
  const dying = async (...args: unknown[]) => {
    const result = await inner(...args);
    // Claims of an idle worker that found nothing do not count.
    if (Array.isArray(result) && result.length === 0) return result;
    calls += 1;
    if (calls < Number(count)) return result;
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  };
  return { ...store, [part]: { ...operations, [operation]: dying } };
}

if (speed === 'fast') shortenLeases();
const shared = redisUrl === '' ? undefined : await openBullmqQueue(redisUrl, limits.agent.runLeaseMs);
const { runtime } = buildRuntime({
  store: dyingAt(await openStore(location)),
  baseUrl,
  tokenizer: await loadTokenizer(),
  clock: systemClock,
  report: () => undefined,
  upstream: { retries: 0 },
  ...(shared && { wrapQueue: () => shared.queue }),
  ...(speed === 'fast' && { leaseRenewalMs: 50 }),
  tools: childTools((text) => {
    appendFileSync(`${location}.writes`, text);
    if (point === 'tool') process.kill(process.pid, 'SIGKILL');
  }),
});
runtime.start();
