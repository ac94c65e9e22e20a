// A server under measurement, in a process of its own: raw, rest or grpc-js. Tells its port, and its CPU time on demand.
import { createServer } from 'node:http';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { GetHealthRequestSchema, GetHealthResponseSchema } from '../../../gen/service/health/v1/health_pb.ts';
import { messageEncoder } from '../../../src/http/rest/json-encoder.ts';
import { cannedHealth, startServer } from '../../http/canned-services.ts';

const openers: Record<string, () => Promise<number>> = { raw: openRaw, ours: openOurs, grpcJs: openGrpcJs };

const port = await openers[process.argv[2] ?? '']?.();
process.send?.({ port });
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});

/** The least that a Node server can do for the same answer. */
function openRaw(): Promise<number> {
  const body = messageEncoder(GetHealthResponseSchema)(cannedHealth());
  const length = String(Buffer.byteLength(body));
  const server = createServer((req, res) => {
    req.resume();
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    res.end(JSON.stringify(JSON.parse(body)));
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
}

async function openOurs(): Promise<number> {
  const { port } = await startServer({
    gate: async (context) => context.responseHeader.set('x-service-api-key-id', 'k1'),
  });
  return port;
}

function openGrpcJs(): Promise<number> {
  const server = new Server();
  const definition = {
    getHealth: {
      path: '/service.health.v1.HealthService/GetHealth',
      requestStream: false,
      responseStream: false,
      requestSerialize: () => Buffer.alloc(0),
      requestDeserialize: (bytes: Buffer) => fromBinary(GetHealthRequestSchema, bytes),
      responseSerialize: (message: ReturnType<typeof cannedHealth>) =>
        Buffer.from(toBinary(GetHealthResponseSchema, message)),
      responseDeserialize: (bytes: Buffer) => fromBinary(GetHealthResponseSchema, bytes),
    },
  };
  server.addService(definition, {
    getHealth: (_call: unknown, callback: (error: null, message: unknown) => void) =>
      callback(null, cannedHealth()),
  });
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
}
process.on('SIGINT', () => process.exit());
