import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { StreamChatRequestSchema } from '../../gen/service/chat/v1/chat_pb.ts';
import { token } from '../service/seed.ts';
import type { BenchRow } from './bench-row.ts';

const rounds = 12;
const callsPerRound = 1_500;
const concurrency = 16;
const eventsPerStream = 500;
const message = 'word '.repeat(eventsPerStream).trim();

/** Measures calls and streams over REST against raw node:http, and over gRPC against a grpc-js server, in turns. */
export async function benchTransport(): Promise<BenchRow[]> {
  return [
    await compare('REST unary, canned gate, against raw node:http', 'raw', loadHttp, 1 / 1.35),
    await compare(
      'health with the whole gate and the embedded store against raw node:http',
      'raw',
      loadHttp,
      1 / 1.35,
      'service',
    ),
    await compare('gRPC unary against grpc-js', 'grpcJs', loadGrpc, 1),
    await compare('SSE event against a raw write', 'raw', loadEvents, 0.5),
    await compare('gRPC streamed message against grpc-js', 'grpcJs', loadGrpcStreams, 1),
  ];
}

type Load = (port: number, calls: number) => Promise<void>;

async function compare(
  name: string,
  peerKind: string,
  load: Load,
  target: number,
  kind = 'ours',
): Promise<BenchRow> {
  const servers = await Promise.all([openServer(kind), openServer(peerKind)]);
  const least = [Infinity, Infinity];
  for (let round = -3; round < rounds; round++) {
    for (const [index, { child, port }] of servers.entries()) {
      const before = await cpuMicros(child);
      await load(port, callsPerRound);
      const spent = ((await cpuMicros(child)) - before) / callsPerRound;
      // The rounds before the first warm both up.
      if (round >= 0) least[index] = Math.min(least[index] as number, spent);
    }
  }
  for (const { child } of servers) child.kill();
  const [ours, peer] = least as [number, number];
  return { name, ours, peer, unit: 'µs CPU', ratio: peer / ours, target };
}

async function openServer(kind: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL('./transport/server.ts', import.meta.url), [kind]);
  const [{ port }] = await once(child, 'message');
  return { child, port };
}

async function cpuMicros(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpuMicros }] = await once(child, 'message');
  return cpuMicros;
}

async function loadHttp(port: number, calls: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const headers = { authorization: `Bearer ${token}` };
  await inParallel(calls, async () => {
    const [response] = await once(request({ port, path: '/v1/health', agent, headers }).end(), 'response');
    response.resume();
    await once(response, 'end');
  });
  agent.destroy();
}

async function loadGrpc(port: number, calls: number): Promise<void> {
  const session = connect(`http://127.0.0.1:${port}`);
  const emptyMessage = Buffer.alloc(5);
  await inParallel(calls, async () => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/service.health.v1.HealthService/GetHealth',
      'content-type': 'application/grpc+proto',
      authorization: 'Bearer good',
      te: 'trailers',
    });
    stream.end(emptyMessage);
    stream.resume();
    const [[trailers]] = await Promise.all([once(stream, 'trailers'), once(stream, 'end')]);
    if (trailers['grpc-status'] !== '0') throw new Error(`grpc-status ${trailers['grpc-status']}`);
  });
  session.close();
}

/** Streams of as many events as there are calls to make, so that the cost is that of an event. */
async function loadEvents(port: number, calls: number): Promise<void> {
  const headers = {
    authorization: 'Bearer good',
    accept: 'text/event-stream',
    'content-type': 'application/json',
  };
  for (let left = calls; left > 0; left -= eventsPerStream) {
    const sent = request({ port, path: '/v1/chat', method: 'POST', headers }).end(
      JSON.stringify({ message }),
    );
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
  }
}

async function loadGrpcStreams(port: number, calls: number): Promise<void> {
  const session = connect(`http://127.0.0.1:${port}`);
  const bytes = toBinary(StreamChatRequestSchema, create(StreamChatRequestSchema, { chat: { message } }));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes.length, 1);
  for (let left = calls; left > 0; left -= eventsPerStream) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/service.chat.v1.ChatService/StreamChat',
      'content-type': 'application/grpc+proto',
      authorization: 'Bearer good',
      te: 'trailers',
    });
    stream.end(Buffer.concat([prefix, bytes]));
    stream.resume();
    await once(stream, 'end');
  }
  session.close();
}

async function inParallel(calls: number, call: () => Promise<void>): Promise<void> {
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
