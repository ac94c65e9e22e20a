import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the fake model server does with one request, step by step. */
export type Step =
  | { readonly send: object | string }
  /** Writes raw text, such as half an event. */
  | { readonly write: string | Uint8Array }
  /** Waits for the promise, or for ever. */
  | { readonly until: Promise<unknown> | 'aborted' }
  /** Breaks the connection. */
  | 'die'
  /** Ends the response early, as if that were all. */
  | 'end';

export interface Script {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** For endless replies: steps after the others. */
  readonly more?: () => Iterable<Step>;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was sent
  readonly body: any;
  /** Resolves when the answer has gone or the client has left; `true` when it left early. */
  readonly left: Promise<boolean>;
}

export interface FakeUpstream {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
  /** Most requests that were in flight at once. */
  readonly mostInFlight: number;
  /** Resolves to the request with this number, from 0, as soon as it has come in. */
  received(number: number): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

/** Starts a chat-completions server on loopback that answers each request by the script that `answer` gives. */
export async function startFakeUpstream(
  answer: (request: ReceivedRequest, number: number) => Script | Promise<Script>,
): Promise<FakeUpstream> {
  const requests: ReceivedRequest[] = [];
  const waiting: { number: number; resolve: (request: ReceivedRequest) => void }[] = [];
  let inFlight = 0;
  let mostInFlight = 0;

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let text = '';
    req.setEncoding('utf8');
    for await (const chunk of req) text += chunk;
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    const left = new Promise<boolean>((resolve) => {
      res.once('close', () => {
        inFlight -= 1;
        resolve(!res.writableFinished);
      });
    });
    const body = text === '' ? undefined : JSON.parse(text);
    const request = { path: req.url ?? '', headers: req.headers, body, left };
    const number = requests.push(request) - 1;
    for (const { resolve } of waiting.filter((one) => one.number === number)) resolve(request);
    await play(res, await answer(request, number));
  }

  const server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get mostInFlight() {
      return mostInFlight;
    },
    received(number) {
      const request = requests[number];
      if (request !== undefined) return Promise.resolve(request);
      return new Promise((resolve) => waiting.push({ number, resolve }));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function play(res: ServerResponse, script: Script): Promise<void> {
  const closed = new Promise<void>((resolve) => res.once('close', resolve));
  res.writeHead(script.status ?? 200, { 'content-type': 'text/event-stream', ...script.headers });
  res.flushHeaders();
  function* all(): Iterable<Step> {
    yield* script.steps;
    yield* script.more?.() ?? [];
  }
  for (const step of all()) {
    if (res.destroyed) return;
    if (step === 'die') {
      // What was written must be on its way before the connection breaks.
      await new Promise((resolve) => res.write('', resolve));
      res.destroy();
      return;
    }
    if (step === 'end') break;
    if ('until' in step) await Promise.race([closed, step.until === 'aborted' ? closed : step.until]);
    else if ('write' in step) await written(res, step.write, closed);
    else await written(res, event(step.send), closed);
  }
  res.end();
}

function written(
  res: ServerResponse,
  data: string | Uint8Array,
  closed: Promise<void>,
): Promise<unknown> | undefined {
  if (res.write(data)) return undefined;
  return Promise.race([closed, new Promise((resolve) => res.once('drain', resolve))]);
}

export function event(data: object | string): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

export function chunk(delta: object, finishReason: string | null = null): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'fake',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

export function usageChunk(promptTokens: number, completionTokens: number): object {
  return {
    id: 'chatcmpl-1',
    choices: [],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

export interface ReplyOptions {
  readonly finishReason?: string;
  /** Null: no usage is reported. */
  readonly usage?: readonly [number, number] | null;
}

/** A complete reply in as many chunks as there are pieces. */
export function reply(pieces: readonly string[], options: ReplyOptions = {}): Script {
  const { finishReason = 'stop', usage = [10, 5] } = options;
  return {
    steps: [
      { send: chunk({ role: 'assistant', content: '' }) },
      ...pieces.map((content) => ({ send: chunk({ content }) })),
      { send: chunk({}, finishReason) },
      ...(usage === null ? [] : [{ send: usageChunk(usage[0], usage[1]) }]),
      { send: '[DONE]' },
    ],
  };
}

/** A reply that calls tools, the arguments in fragments of 3 characters. */
export function toolReply(
  calls: readonly { readonly name: string; readonly args: string }[],
  text = '',
): Script {
  return {
    steps: [
      ...(text === '' ? [] : [{ send: chunk({ content: text }) }]),
      ...calls.flatMap(({ name, args }, index) => [
        {
          send: chunk({
            tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }],
          }),
        },
        ...(args.match(/.{1,3}/gsu) ?? []).map((piece) => ({
          send: chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        })),
      ]),
      { send: chunk({}, 'tool_calls') },
      { send: usageChunk(20, 7) },
      { send: '[DONE]' },
    ],
  };
}
