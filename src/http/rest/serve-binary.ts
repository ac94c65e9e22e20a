import type { Message } from '@bufbuild/protobuf';
import type { HttpBody } from '../../../gen/google/api/httpbody_pb.ts';
import { cutOff, type HeaderRecord } from '../answer.ts';
import type { Call } from '../call.ts';
import { endUnread, isUnread } from '../unread-body.ts';
import { endChunks, writeChunk } from '../write-chunk.ts';
import type { Binding } from './binding.ts';
import type { RestContext } from './rest-context.ts';
import type { RestOptions } from './rest-options.ts';

/**
 * Sends a stream of google.api.HttpBody as one binary answer. Its headers are those that the implementation has set by
 * its first message, which also tells the content type; a failure before it is an answer of its own. A failure after it
 * breaks the connection off, so that nobody takes the part for the whole.
 */
export async function serveBinary(
  call: Call,
  binding: Binding,
  context: RestContext,
  message: Message,
  options: RestOptions,
): Promise<void> {
  const { res } = call;
  const chunks = options.invoker.stream(binding.spec, context, message);
  let chunk = await chunks.next();
  try {
    const headers: HeaderRecord = {};
    context.responseHeader.copyTo(headers);
    const contentType = chunk.done ? '' : (chunk.value as HttpBody).contentType;
    headers['content-type'] ??= contentType || 'application/octet-stream';
    res.writeHead(binding.status, Object.assign(headers, call.standingHeaders));
    while (chunk.done !== true && call.method !== 'HEAD') {
      const { data } = chunk.value as HttpBody;
      if (data.length > 0 && !(await writeChunk(res, data, options.limits.stalledWriteMs))) return;
      chunk = await chunks.next();
    }
    if (isUnread(call.req)) endUnread(call.req, res, '');
    else endChunks(res);
  } catch (error) {
    cutOff(call, error);
  } finally {
    context.abort(streamOver);
    await chunks.return?.().catch(() => undefined);
  }
}

const streamOver = new Error('the stream is over');
