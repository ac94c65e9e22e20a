/**
 * A process of the chat service that makes one call and can die on the way:
 * `node chat-child.ts <store> <model server> <reply | stream> <point>`. The point is a store's operation, such as
 * `turns.commit`: the process is killed as soon as its first call is durable. Writing tools append to `<store>.writes`.
 */
import { appendFileSync } from 'node:fs';
import { loadTokenizer } from '../../../src/models/tokenizer.ts';
import type { Store } from '../../../src/ports/store.ts';
import { openStore } from '../../storage/sqlite/opener.ts';
import { buildChat } from './build-chat.ts';
import { aChildCall, childTools, nowMs } from './child-call.ts';

const [location = '', baseUrl = '', kind = '', point = ''] = process.argv.slice(2);

type Operations = Record<string, (...args: unknown[]) => Promise<unknown>>;

function dyingAt(store: Store): Store {
  const [part = '', operation = ''] = point.split('.');
  const operations = (store as unknown as Record<string, Operations>)[part];
  const inner = operations?.[operation];
  if (operations === undefined || inner === undefined) return store;
  const dying = async (...args: unknown[]) => {
    await inner(...args);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  };
  return { ...store, [part]: { ...operations, [operation]: dying } };
}

const store = await openStore(location);
const { chat } = buildChat({
  store: dyingAt(store),
  baseUrl,
  tokenizer: await loadTokenizer(),
  clock: { now: () => nowMs },
  report: (message, cause) => console.error(message, cause),
  tools: childTools((text) => {
    appendFileSync(`${location}.writes`, text);
    if (point === 'tool') process.kill(process.pid, 'SIGKILL');
  }),
});
if (kind === 'stream') {
  for await (const event of chat.stream(aChildCall)) process.stdout.write(`${JSON.stringify(event)}\n`);
} else {
  const { answer } = await chat.reply({ ...aChildCall, idempotencyKey: 'once' });
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await chat.close(1_000);
