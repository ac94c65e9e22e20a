import { create, fromBinary, type Message } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { type ClientReadableStream, type ServiceError as GrpcError, Metadata, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../gen/google/rpc/status_pb.ts';
import {
  ServerReflection,
  ServerReflectionRequestSchema,
} from '../../gen/grpc/reflection/v1/reflection_pb.ts';
import {
  ChatRequestSchema,
  ChatService,
  StreamChatRequestSchema,
} from '../../gen/service/chat/v1/chat_pb.ts';
import { GeneratorService } from '../../gen/service/generator/v1/generator_pb.ts';
import { GeneratePdfRequestSchema } from '../../gen/service/generator/v1/report_pb.ts';
import { GenerateExcelRequestSchema } from '../../gen/service/generator/v1/workbook_pb.ts';
import { GetHealthRequestSchema, HealthService } from '../../gen/service/health/v1/health_pb.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { cannedHealth, startServer } from '../http/canned-services.ts';
import { openGrpcClient } from './grpc-js-client.ts';

let server: HttpServer;
let port: number;
const open: { close(): void }[] = [];

beforeAll(async () => {
  ({ server, port } = await startServer());
});
afterAll(async () => {
  for (const client of open) client.close();
  await server.close(0);
});

function client(service: Parameters<typeof openGrpcClient>[0]) {
  const opened = openGrpcClient(service, port);
  open.push(opened);
  return opened;
}

function withKey(): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', 'Bearer good');
  return metadata;
}

interface UnaryOutcome {
  readonly message: Message | undefined;
  readonly error: GrpcError | null;
  /** Headers that came before the message or the error. */
  readonly metadata: Metadata | undefined;
}

function unary(
  service: Parameters<typeof openGrpcClient>[0],
  method: string,
  request: Message,
  metadata = withKey(),
  options: object = {},
): Promise<UnaryOutcome> {
  return new Promise((resolve) => {
    let headers: Metadata | undefined;
    const call = client(service)[method]?.(
      request,
      metadata,
      options,
      (error: GrpcError | null, message: Message) => resolve({ message, error, metadata: headers }),
    );
    call.on('metadata', (received: Metadata) => {
      headers = received;
    });
  });
}

async function collect(stream: ClientReadableStream<unknown>) {
  let headers: Metadata | undefined;
  stream.on('metadata', (received) => {
    headers = received;
  });
  const messages: unknown[] = [];
  try {
    for await (const message of stream) messages.push(message);
    return { messages, headers, error: undefined };
  } catch (error) {
    return { messages, headers, error: error as GrpcError };
  }
}

function detailsOf(error: GrpcError) {
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  const { details } = fromBinary(StatusSchema, bytes as Buffer);
  return {
    info: details.map((any) => anyUnpack(any, ErrorInfoSchema)).find((each) => each !== undefined),
    bad: details.map((any) => anyUnpack(any, BadRequestSchema)).find((each) => each !== undefined),
    retry: details.map((any) => anyUnpack(any, RetryInfoSchema)).find((each) => each !== undefined),
  };
}

describe('a grpc-js client', () => {
  test('gets the message, and the headers of the gate as metadata', async () => {
    const { message, metadata } = await unary(HealthService, 'getHealth', create(GetHealthRequestSchema));
    expect(message).toEqual(cannedHealth());
    expect(metadata?.get('x-service-api-key-id')).toEqual(['k1']);
    expect(metadata?.get('x-request-id')).toHaveLength(1);
  });

  test('gets the slug, the extra fields and the headers of the gate with an error', async () => {
    const { error, metadata } = await unary(
      ChatService,
      'chat',
      create(ChatRequestSchema, { message: 'fail' }),
    );
    expect(error).toMatchObject({ code: status.PERMISSION_DENIED, details: 'No such model.' });
    expect(detailsOf(error as GrpcError).info).toMatchObject({
      reason: 'MODEL_NOT_ALLOWED',
      domain: 'errors.example',
      metadata: { requested_model: 'x', allowed_models: '["demo"]' },
    });
    const carried = [
      ...(metadata?.get('x-service-api-key-id') ?? []),
      ...(error?.metadata.get('x-service-api-key-id') ?? []),
    ];
    expect(carried).toEqual(['k1']);
  });

  test('gets RetryInfo and retry-after where Retry-After is sent', async () => {
    const { error } = await unary(ChatService, 'chat', create(ChatRequestSchema, { message: 'limited' }));
    expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(error?.metadata.get('retry-after')).toEqual(['7']);
    expect(detailsOf(error as GrpcError).retry?.retryDelay?.seconds).toBe(7n);
  });

  test('learns nothing private from an unexpected failure', async () => {
    const { error } = await unary(ChatService, 'chat', create(ChatRequestSchema, { message: 'break' }));
    expect(error?.code).toBe(status.INTERNAL);
    expect(JSON.stringify(error)).not.toContain('private');
    expect(detailsOf(error as GrpcError).info?.reason).toBe('INTERNAL_ERROR');
  });

  test('is told which fields are at fault', async () => {
    const request = create(ChatRequestSchema, { message: '', conversationId: 'x' });
    const { error } = await unary(ChatService, 'chat', request);
    expect(error?.code).toBe(status.INVALID_ARGUMENT);
    expect(detailsOf(error as GrpcError).bad?.fieldViolations).toMatchObject([
      { field: '/message', description: 'must be a non-empty string' },
      { field: '/conversation_id', description: 'must be a UUID' },
    ]);
  });

  test('is refused by the gate', async () => {
    const { error } = await unary(HealthService, 'getHealth', create(GetHealthRequestSchema), new Metadata());
    expect(error?.code).toBe(status.UNAUTHENTICATED);
    expect(detailsOf(error as GrpcError).info?.reason).toBe('MISSING_TOKEN');
  });

  test('gets UNIMPLEMENTED for a method that has no implementation', async () => {
    const stream = client(GeneratorService).generatePdf?.(
      create(GeneratePdfRequestSchema, { title: 'a' }),
      withKey(),
    );
    expect((await collect(stream)).error?.code).toBe(status.UNIMPLEMENTED);
  });

  test.for([0, 5_000, 1_000_000])(
    'gets UNIMPLEMENTED for a method that nobody knows, whatever it sends: %i bytes',
    async (bytes) => {
      const error = await new Promise<GrpcError | null>((resolve) => {
        const same = (message: Buffer): Buffer => message;
        client(HealthService).makeUnaryRequest(
          '/service.health.v1.HealthService/Nothing',
          same,
          same,
          Buffer.alloc(bytes),
          resolve,
        );
      });
      expect(error).toMatchObject({
        code: status.UNIMPLEMENTED,
        details: 'unknown method /service.health.v1.HealthService/Nothing',
      });
    },
  );

  test('is refused a message over the limit, with the slug', async () => {
    const request = create(ChatRequestSchema, { message: 'x'.repeat(1_100_000) });
    const { error } = await unary(ChatService, 'chat', request);
    expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
    expect(detailsOf(error as GrpcError).info?.reason).toBe('PAYLOAD_TOO_LARGE');
  });

  test('gets a file in chunks, its headers as metadata that breaks no protocol', async () => {
    const request = create(GenerateExcelRequestSchema, { columns: [{ header: 'a' }] });
    const { messages, headers } = await collect(client(GeneratorService).generateExcel?.(request, withKey()));
    expect(messages.map((each) => Buffer.from((each as { data: Uint8Array }).data).toString()).join('')).toBe(
      'part one,part two',
    );
    expect(headers?.getMap()).toMatchObject({
      'content-disposition': 'attachment; filename="a.xlsx"',
      'x-service-content-length': '17',
      'x-service-file-id': 'f1',
      'x-service-api-key-id': 'k1',
    });
  });

  test('gets a stream of events, and an error in its midst', async () => {
    const request = create(StreamChatRequestSchema, { chat: { message: 'one break' } });
    const { messages, error } = await collect(client(ChatService).streamChat?.(request, withKey()));
    expect(messages).toMatchObject([
      { event: { case: 'meta' } },
      { event: { case: 'content', value: { content: 'one' } } },
    ]);
    expect(error?.code).toBe(status.INTERNAL);
  });

  test('compresses', async () => {
    const options = { 'grpc.default_compression_algorithm': 2 };
    const compressing = openGrpcClient(ChatService, port);
    open.push(compressing);
    const message = await new Promise((resolve, reject) =>
      compressing.chat?.(
        create(ChatRequestSchema, { message: 'x'.repeat(10_000) }),
        withKey(),
        options,
        (error: unknown, reply: unknown) => (error ? reject(error) : resolve(reply)),
      ),
    );
    expect(message).toMatchObject({ content: 'x'.repeat(10_000) });
  });

  test('reflects without a key', async () => {
    const call = client(ServerReflection).serverReflectionInfo?.();
    call.write(
      create(ServerReflectionRequestSchema, { messageRequest: { case: 'listServices', value: '' } }),
    );
    call.end();
    const { messages } = await collect(call);
    expect(JSON.stringify(messages)).toContain('service.health.v1.HealthService');
  });
});
