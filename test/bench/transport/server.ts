// A server under measurement, in a process of its own: raw, rest or grpc-js. Tells its port, and its CPU time on demand.
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type DescMethod, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import {
  ChatService,
  type StreamChatRequest,
  StreamChatResponseSchema,
} from '../../../gen/service/chat/v1/chat_pb.ts';
import { GetHealthResponseSchema, HealthService } from '../../../gen/service/health/v1/health_pb.ts';
import { messageEncoder } from '../../../src/http/rest/json-encoder.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { cannedHealth, startServer } from '../../http/canned-services.ts';
import { seed } from '../../service/seed.ts';
import { startService } from '../../service/start-service.ts';

const openers: Record<string, () => Promise<number>> = {
  raw: openRaw,
  ours: openOurs,
  service: openService,
  grpcJs: openGrpcJs,
};

const port = await openers[process.argv[2] ?? '']?.();
process.send?.({ port });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});

/** The service as it runs: the whole gate, a store in a file. */
async function openService(): Promise<number> {
  const store = openSqliteStore({ path: join(mkdtempSync(join(tmpdir(), 'bench-')), 'service.db') });
  await seed(store, { apiKey: { rateLimitPerHour: 1_000_000 } });
  return (await startService({ IP_RATE_LIMIT: '1000000' }, { store })).port;
}

/** The least that a Node server can do for the same answers. */
function openRaw(): Promise<number> {
  const body = messageEncoder(GetHealthResponseSchema)(cannedHealth());
  const length = String(Buffer.byteLength(body));
  const server = createServer(async (req, res) => {
    if (req.method === 'GET') {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
      res.end(JSON.stringify(JSON.parse(body)));
      return;
    }
    const { message } = JSON.parse(Buffer.concat(await req.toArray()).toString());
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of message.split(' ')) {
      res.write(`data: ${JSON.stringify({ type: 'content', content })}\n\n`);
    }
    res.end();
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
}

async function openOurs(): Promise<number> {
  const gate = async ({ responseHeader }: HandlerContext) => responseHeader.set('x-service-api-key-id', 'k1');
  return (await startServer({ gate })).port;
}

function openGrpcJs(): Promise<number> {
  const server = new Server();
  server.addService(
    { getHealth: define(HealthService.method.getHealth), streamChat: define(ChatService.method.streamChat) },
    {
      getHealth: (_call: unknown, reply: (error: null, message: Message) => void) =>
        reply(null, cannedHealth()),
      streamChat(call: ServerWritableStream<StreamChatRequest, Message>) {
        for (const content of (call.request.chat?.message ?? '').split(' ')) {
          call.write(create(StreamChatResponseSchema, { event: { case: 'content', value: { content } } }));
        }
        call.end();
      },
    },
  );
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
}

function define(method: DescMethod) {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
    responseSerialize: (message: Message) => Buffer.from(toBinary(method.output, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
  };
}
