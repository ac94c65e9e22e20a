import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BadRequestSchema, ErrorInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { ServerReflection } from '../../gen/grpc/reflection/v1/reflection_pb.ts';
import { ChatService } from '../../gen/service/chat/v1/chat_pb.ts';
import { GeneratorService } from '../../gen/service/generator/v1/generator_pb.ts';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { cannedHealth, startServer } from '../http/canned-services.ts';

let server: HttpServer;
let baseUrl: string;

beforeAll(async () => {
  const started = await startServer();
  server = started.server;
  baseUrl = `http://127.0.0.1:${started.port}`;
});
afterAll(() => server.close(0));

const transports: Record<string, () => Transport> = {
  'Connect over HTTP/1.1': () => createConnectTransport({ baseUrl, httpVersion: '1.1' }),
  'Connect over HTTP/2': () => createConnectTransport({ baseUrl, httpVersion: '2' }),
  'Connect JSON over HTTP/1.1': () =>
    createConnectTransport({ baseUrl, httpVersion: '1.1', useBinaryFormat: false }),
  'gRPC-Web over HTTP/1.1': () => createGrpcWebTransport({ baseUrl, httpVersion: '1.1' }),
  'gRPC-Web over HTTP/2': () => createGrpcWebTransport({ baseUrl, httpVersion: '2' }),
  'gRPC over HTTP/2': () => createGrpcTransport({ baseUrl }),
  'gRPC JSON over HTTP/2': () => createGrpcTransport({ baseUrl, useBinaryFormat: false }),
};

const key = { headers: { authorization: 'Bearer good' } };

describe.for(Object.entries(transports))('%s', ([name, open]) => {
  test('gets the message and the headers of the gate', async () => {
    let header: Headers | undefined;
    const keep = (received: Headers): void => {
      header = received;
    };
    const client = createClient(HealthService, open());
    const message = await client.getHealth({}, { ...key, onHeader: keep });
    expect(message).toEqual(cannedHealth());
    expect(header?.get('x-service-api-key-id')).toBe('k1');
    expect(header?.get('x-request-id')).toBeTruthy();
  });

  test('gets the slug, the extra fields and the headers of the gate with an error', async () => {
    const error = await createClient(ChatService, open())
      .chat({ message: 'fail' }, key)
      .catch((caught) => caught);
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ code: Code.PermissionDenied, rawMessage: 'No such model.' });
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: 'MODEL_NOT_ALLOWED', domain: 'errors.example', metadata: { requested_model: 'x' } },
    ]);
    expect(error.metadata.get('x-service-api-key-id')).toBe('k1');
  });

  test('is told which fields are at fault, by the rules of the protos', async () => {
    const error = await createClient(ChatService, open())
      .streamChat({ chat: { conversationId: 'x' } }, key)
      [Symbol.asyncIterator]()
      .next()
      .catch((caught) => caught);
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.findDetails(BadRequestSchema)).toMatchObject([
      { fieldViolations: [{ field: '/chat/conversation_id', description: 'must be a UUID' }] },
    ]);
  });

  test('is refused by the gate before its body is read', async () => {
    const error = await createClient(HealthService, open())
      .getHealth({})
      .catch((caught) => caught);
    expect(error.code).toBe(Code.Unauthenticated);
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: 'MISSING_TOKEN' }]);
  });

  test('gets a stream, and a failure in its midst', async () => {
    const events: unknown[] = [];
    const stream = createClient(ChatService, open()).streamChat({ chat: { message: 'one break' } }, key);
    const error = await (async () => {
      for await (const { event } of stream) events.push(event.case);
    })().catch((caught) => caught);
    expect(events).toEqual(['meta', 'content']);
    expect(error).toMatchObject({ code: Code.Internal, rawMessage: 'Something went wrong' });
  });

  test('gets a file whose headers break no protocol', async () => {
    let header: Headers | undefined;
    const keep = (received: Headers): void => {
      header = received;
    };
    const request = { columns: [{ header: 'a' }] };
    const options = { ...key, onHeader: keep };
    const parts: Buffer[] = [];
    for await (const { data, contentType } of createClient(GeneratorService, open()).generateExcel(
      request,
      options,
    )) {
      expect(contentType).toBe('application/test');
      parts.push(Buffer.from(data));
    }
    expect(Buffer.concat(parts).toString()).toBe('part one,part two');
    expect(header?.get('x-service-content-length')).toBe('17');
    expect(header?.get('content-disposition')).toBe('attachment; filename="a.xlsx"');
  });

  test('meets its deadline', async () => {
    const error = await createClient(ChatService, open())
      .chat({ message: 'wait' }, { ...key, timeoutMs: 100 })
      .catch((caught) => caught);
    expect(error.code).toBe(Code.DeadlineExceeded);
  });

  test('is refused a message over the limit', async () => {
    const error = await createClient(ChatService, open())
      .chat({ message: 'x'.repeat(1_100_000) }, key)
      .catch((caught) => caught);
    expect(error.code).toBe(Code.ResourceExhausted);
  });

  // Only here is a client's stream not bound to end before the answer begins.
  if (name !== 'gRPC over HTTP/2') return;
  test('reflects, both ways at once', async () => {
    async function* questions() {
      yield { messageRequest: { case: 'listServices', value: '' } } as const;
      yield {
        messageRequest: { case: 'fileContainingSymbol', value: 'service.chat.v1.ChatService' },
      } as const;
    }
    const answers: unknown[] = [];
    const client = createClient(ServerReflection, open());
    for await (const { messageResponse } of client.serverReflectionInfo(questions()))
      answers.push(messageResponse.case);
    expect(answers).toEqual(['listServicesResponse', 'fileDescriptorResponse']);
  });
});
