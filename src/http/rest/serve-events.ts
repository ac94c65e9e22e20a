import type { Message } from '@bufbuild/protobuf';
import { fromConnectError } from '../../rpc/connect-error.ts';
import type { HeaderRecord } from '../answer.ts';
import { type Call, failureKey } from '../call.ts';
import { endChunks, writeChunk } from '../write-chunk.ts';
import type { Binding } from './binding.ts';
import type { RestContext } from './rest-context.ts';
import type { RestOptions } from './rest-options.ts';

/**
 * Sends a stream of messages as server-sent events (WHATWG HTML, section 9.2): one `data:` line of JSON an event, and
 * a comment line whenever nothing was sent for `heartbeatMs`. The head goes out with the first event, so that a failure
 * before it is an answer of its own; a failure after it becomes a last event of the type `error`.
 */
export async function serveEvents(
  call: Call,
  binding: Binding,
  context: RestContext,
  message: Message,
  options: RestOptions,
): Promise<void> {
  const { res } = call;
  const { limits } = options;
  const events = options.invoker.stream(binding.spec, context, message);
  let event = await events.next();
  const heartbeat = setInterval(() => {
    if (!res.writableNeedDrain) res.write(':\n\n');
  }, limits.heartbeatMs);
  try {
    const headers: HeaderRecord = {};
    context.responseHeader.copyTo(headers);
    res.writeHead(binding.status, Object.assign(headers, call.standingHeaders, streamHeaders));
    while (event.done !== true && call.method !== 'HEAD') {
      heartbeat.refresh();
      const text = `data: ${binding.encodeResponse(event.value)}\n\n`;
      if (!(await writeChunk(res, text, limits.stalledWriteMs))) return;
      event = await events.next();
    }
    endChunks(res);
  } catch (error) {
    const failure = fromConnectError(error);
    call.values.set(failureKey, failure);
    const last = { type: 'error', error: failure.title, code: failure.slug };
    endChunks(res, `data: ${JSON.stringify(last)}\n\n`);
  } finally {
    clearInterval(heartbeat);
    context.abort(streamOver);
    await events.return?.().catch(() => undefined);
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would else keep events back until its buffer is full.
  'x-accel-buffering': 'no',
};

const streamOver = new Error('the stream is over');
