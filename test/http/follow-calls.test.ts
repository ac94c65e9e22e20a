import { once } from 'node:events';
import { connect } from 'node:http2';
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

/**
 * Answers break off after their first message or, when their caller asks for that, end there, wait there for it to
 * leave, or go on without an end.
 */
function brokenRoutes(router: ConnectRouter): void {
  router.service(ChatService, {
    async *streamChat({ chat }, { signal }) {
      yield { event: { case: 'content', value: { content: 'one' } } };
      if (chat?.message === 'whole') return;
      if (chat?.message === 'wait') await once(signal, 'abort');
      while (chat?.message === 'flood') {
        yield { event: { case: 'content', value: { content: 'x'.repeat(65_536) } } };
      }
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
  const { server, port } = await startServer({
    routes: brokenRoutes,
    log: (record) => records.push(record),
    limits: { stalledWriteMs: 20 },
  });
  closers.push(() => server.close(0));
  const post = (path: string, contentType: string, body: BodyInit, signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', accept: 'text/event-stream', 'content-type': contentType },
      body,
      signal,
    });
  return { records, post, port };
}

/** In the envelope that gRPC, gRPC-Web and Connect share: a flag and the length. */
function envelope(text: string): Uint8Array<ArrayBuffer> {
  const request = create(StreamChatRequestSchema, { chat: { message: text } });
  const message = toBinary(StreamChatRequestSchema, request);
  return new Uint8Array([0, 0, 0, 0, message.length, ...message]);
}

describe('the record of a call', () => {
  test.for([
    ['of server-sent events', '/v1/chat', 'application/json', '{"message":"x"}'],
    ['that is binary', '/v1/excel', 'application/json', '{"title":"x","columns":["a"],"rows":[{"a":1}]}'],
    ['over gRPC-Web', '/service.chat.v1.ChatService/StreamChat', 'application/grpc-web', envelope('x')],
    ['over Connect', '/service.chat.v1.ChatService/StreamChat', 'application/connect+proto', envelope('x')],
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

  test.for(['/v1/chat', '/service.chat.v1.ChatService/StreamChat'])(
    'of %s says that its caller left when it took nothing of its answer',
    async (path) => {
      const { records, port } = await open();
      const session = connect(`http://127.0.0.1:${port}`);
      closers.push(() => session.destroy());
      const isGrpc = path !== '/v1/chat';
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        authorization: 'Bearer good',
        accept: 'text/event-stream',
        'content-type': isGrpc ? 'application/grpc' : 'application/json',
      });
      stream.on('error', () => {});
      stream.end(isGrpc ? envelope('flood') : '{"message":"flood"}');
      await expect.poll(() => records.length).toBe(1);
      expect(records[0]).toMatchObject({ outcome: 'cancelled' });
    },
  );

  test.for([
    ['ok', 'whole', 'Bearer good'],
    ['internal_error', 'x', 'Bearer good'],
    ['invalid_token', 'x', 'Bearer bad'],
  ] as const)(
    'over gRPC says %s of an answer that its caller took',
    async ([outcome, text, authorization]) => {
      const { records, port } = await open();
      const session = connect(`http://127.0.0.1:${port}`);
      closers.push(() => session.destroy());
      const stream = session.request({
        ':method': 'POST',
        ':path': '/service.chat.v1.ChatService/StreamChat',
        authorization,
        'content-type': 'application/grpc',
      });
      stream.resume().end(envelope(text));
      await once(stream, 'close');
      await expect.poll(() => records.length).toBe(1);
      expect(records[0]).toMatchObject({ outcome });
    },
  );
});
