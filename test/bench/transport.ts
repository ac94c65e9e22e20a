import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:http2';

/** One line of the bench: what a call costs here and at the peer, microseconds of server CPU, least over the rounds. */
export interface BenchRow {
  readonly name: string;
  readonly ours: number;
  readonly peer: number;
  readonly ratio: number;
  /** Largest ratio that is good enough. */
  readonly target: number;
}

const rounds = 12;
const callsPerRound = 1_500;
const concurrency = 16;

/** Measures unary calls over REST against raw node:http, and over gRPC against a grpc-js server, in turns. */
export async function benchTransport(): Promise<BenchRow[]> {
  return [
    await compare('REST unary against raw node:http', 'raw', loadHttp, 1.35),
    await compare('gRPC unary against grpc-js', 'grpcJs', loadGrpc, 1),
  ];
}

type Load = (port: number, calls: number) => Promise<void>;

async function compare(name: string, peerKind: string, load: Load, target: number): Promise<BenchRow> {
  const servers = await Promise.all([openServer('ours'), openServer(peerKind)]);
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
  return { name, ours, peer, ratio: ours / peer, target };
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
  const headers = { authorization: 'Bearer good' };
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

async function inParallel(calls: number, call: () => Promise<void>): Promise<void> {
  let left = calls;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
