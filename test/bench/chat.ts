import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { token } from '../service/seed.ts';
import type { BenchRow } from './bench-row.ts';
import { type MeasuredProcess, startProcess } from './chat/process.ts';

const rounds = 12;
const concurrency = 64;

/** Sends one call to a model, `<milliseconds between chunks>-<chunks>`, and reads the reply to its end. */
type Call = (model: string, isStreamed: boolean) => Promise<void>;

/**
 * Measures what a chat costs a server that does keys, limits, budgets, idempotency and storage, beside a gateway that
 * passes calls on and keeps nothing (`@portkey-ai/gateway`), over the same model server, in turns.
 */
export async function benchChat(): Promise<BenchRow[]> {
  const upstream = await startProcess('./upstream.ts');
  const ours = await startProcess('./ours.ts', [String(upstream.port)]);
  const peer = await startProcess('./peer.ts');
  const agent = new Agent({ connections: 2_000 });
  try {
    const calls = [oursCall(agent, ours.port), peerCall(agent, peer.port, upstream.port)] as const;
    const oneShot = await compare([ours, peer], calls, 320, '4-20', false);
    const streamed = await compare([ours, peer], calls, 320, '4-20', true);
    const long = await compare([ours, peer], calls, 64, '4-200', true);
    const perChunk = long.map((micros, index) => (micros - (streamed[index] ?? 0)) / 180) as [number, number];
    return [
      row('one-shot chat of 20 chunks', oneShot, 'µs CPU', 1),
      row('streamed chat of 20 chunks', streamed, 'µs CPU', 1),
      row('streamed chat of 200 chunks', long, 'µs CPU', 1),
      row('a further chunk of a stream', perChunk, 'µs CPU', 1),
      await memoryOfStreams(ours, calls[0]),
    ];
  } finally {
    await agent.destroy();
    for (const one of [ours, peer, upstream]) await one.stop();
  }
}

async function compare(
  servers: readonly MeasuredProcess[],
  calls: readonly Call[],
  count: number,
  model: string,
  isStreamed: boolean,
): Promise<[number, number]> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, server] of servers.entries()) {
      const before = await server.cpuMicros();
      await inParallel(count, concurrency, () => (calls[index] as Call)(model, isStreamed));
      const spent = ((await server.cpuMicros()) - before) / count;
      // The round before the first warms both up.
      if (round >= 0) least[index] = Math.min(least[index] as number, spent);
    }
  }
  return least as [number, number];
}

/** Megabytes that 1,000 streams under way take: at their start (`peer`) and as they end (`ours`). */
async function memoryOfStreams(server: MeasuredProcess, call: Call): Promise<BenchRow> {
  const megabyte = 1_048_576;
  const before = await server.heldBytes();
  const streams = Promise.all(Array.from({ length: 1_000 }, () => call('100-50', true)));
  await sleep(2_500);
  const early = await server.heldBytes();
  await sleep(2_000);
  const late = await server.heldBytes();
  await streams;
  const pair: [number, number] = [(late - before) / megabyte, (early - before) / megabyte];
  return row('1,000 streams at once, beyond idle: late beside early', pair, 'MB', 1 / 1.2);
}

function row(
  name: string,
  [ours, peer]: readonly [number, number],
  unit: BenchRow['unit'],
  target: number,
): BenchRow {
  return { name, ours, peer, unit, ratio: peer / ours, target };
}

const question = 'What is the capital of France, and how many people live there?';

function oursCall(agent: Agent, port: number): Call {
  return (model, isStreamed) =>
    send(agent, `http://127.0.0.1:${port}/v1/chat`, {
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: isStreamed ? 'text/event-stream' : 'application/json',
      },
      body: JSON.stringify({ message: question, model }),
    });
}

function peerCall(agent: Agent, port: number, upstreamPort: number): Call {
  return (model, isStreamed) =>
    send(agent, `http://127.0.0.1:${port}/v1/chat/completions`, {
      headers: {
        authorization: 'Bearer key',
        'content-type': 'application/json',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
      },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: question }],
        ...(isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
      }),
    });
}

async function send(
  agent: Agent,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<void> {
  const response = await request(url, { method: 'POST', dispatcher: agent, headers, body });
  let end = '';
  for await (const chunk of response.body.setEncoding('utf8')) end = chunk;
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${end}`);
  if (end.includes('"error"')) throw new Error(end);
}

async function inParallel(count: number, width: number, call: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: width }, worker));
}
