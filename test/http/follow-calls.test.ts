import { once } from 'node:events';
import { create, toBinary } from '@bufbuild/protobuf';
import type { ConnectRouter } from '@connectrpc/connect';
import { afterEach, describe, expect, test } from 'vitest';
import { ChatService, StreamChatRequestSchema } from '../../gen/service/chat/v1/chat_pb.ts';
import { GeneratorService } from '../../gen/service/generator/v1/generator_pb.ts';
import { type CallRecord, isFault } from '../../src/http/call-watch.ts';
import { startServer } from './canned-services.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Answers break off after their first message, or wait there for their caller to leave when it asks for that. */
function brokenRoutes(router: ConnectRouter): void {
  router.service(ChatService, {
    async *streamChat({ chat }, { signal }) {
      yield { event: { case: 'content', value: { content: 'one' } } };
      if (chat?.message === 'wait') await once(signal, 'abort');
      throw new Error('private text');
    },
  });
  router.service(GeneratorService, {
    async *generateExcel() {
      yield { contentType: 'application/test', data: new TextEncoder().encode('one') };
      throw new Error('private text');
    },
  });
}

async function open() {
  const records: CallRecord[] = [];
  const { server, port } = await startServer({ routes: brokenRoutes, log: (record) => records.push(record) });
  closers.push(() => server.close(0));
  const post = (path: string, contentType: string, body: BodyInit, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', accept: 'text/event-stream', 'content-type': contentType },
      body,
      signal,
    });
  return { records, post };
}

const message = toBinary(
  StreamChatRequestSchema,
  create(StreamChatRequestSchema, { chat: { message: 'x' } }),
);
/** In the envelope that gRPC-Web and Connect share: a flag and the length. */
const enveloped = new Uint8Array([0, 0, 0, 0, message.length, ...message]);

describe('the record of a call', () => {
  test.for([
    ['of server-sent events', '/v1/chat', 'application/json', '{"message":"x"}'],
    ['that is binary', '/v1/excel', 'application/json', '{"title":"x","columns":["a"],"rows":[{"a":1}]}'],
    ['over gRPC-Web', '/service.chat.v1.ChatService/StreamChat', 'application/grpc-web', enveloped],
    ['over Connect', '/service.chat.v1.ChatService/StreamChat', 'application/connect+proto', enveloped],
  ] as const)('%s blames the service for a failure after the head', async ([, path, type, body]) => {
    const { records, post } = await open();
    const answer = post(path, type, body).then((response) => response.text());
    await answer.catch(() => 'cut off');
    await expect.poll(() => records.length).toBe(1);
    const [record] = records as [CallRecord];
    expect(record).toMatchObject({ status: 200, outcome: 'internal_error' });
    expect(String((record.failure as Error).cause ?? record.failure)).toContain('private text');
    expect(isFault(record)).toBe(true);
  });

  test('blames nobody when the caller leaves', async () => {
    const { records, post } = await open();
    const caller = new AbortController();
    const response = await post('/v1/chat', 'application/json', '{"message":"wait"}', caller.signal);
    await response.body?.getReader().read();
    caller.abort();
    await expect.poll(() => records.length).toBe(1);
    const [record] = records as [CallRecord];
    expect(record).toMatchObject({ outcome: 'cancelled', failure: undefined });
    expect(isFault(record)).toBe(false);
  });
});
