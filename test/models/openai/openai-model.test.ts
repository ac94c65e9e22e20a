import { afterEach, describe, expect, test } from 'vitest';
import { openUpstream } from '../../../src/models/openai/open-upstream.ts';
import { type Upstream, type UpstreamModel, upstreamDefaults } from '../../../src/models/openai/upstream.ts';
import {
  type ChatModel,
  type CompletionDelta,
  type CompletionRequest,
  type ModelCatalog,
  ModelFailure,
} from '../../../src/ports/model.ts';
import {
  chunk,
  event,
  type FakeUpstream,
  reply,
  type Script,
  startFakeUpstream,
  toolReply,
  usageChunk,
} from '../fake-upstream.ts';

const model: UpstreamModel = {
  id: 'large',
  upstreamId: 'vendor-large-2',
  contextTokens: 1_000,
  completionTokens: 100,
  completionParameter: 'max_tokens',
  supportsTools: true,
  streamsUsage: true,
};

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(
  answer: (number: number) => Script,
  upstream: Partial<Upstream> = {},
): Promise<{ server: FakeUpstream; catalog: ModelCatalog; model: ChatModel }> {
  const server = await startFakeUpstream((_, number) => answer(number));
  const catalog = openUpstream(
    {
      name: 'fake',
      baseUrl: server.baseUrl,
      apiKey: 'secret-key',
      headers: { 'x-team': 'blue' },
      models: [model],
      ...upstreamDefaults,
      ...upstream,
    },
    { random: () => 0 },
  );
  opened.push(catalog, server);
  const found = catalog.find('large');
  if (found === undefined) throw new Error('no model');
  return { server, catalog, model: found };
}

function request(options: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    tools: [],
    toolChoice: 'auto',
    isFollowed: true,
    completionTokens: 100,
    signal: new AbortController().signal,
    ...options,
  };
}

async function collect(deltas: AsyncIterable<CompletionDelta>): Promise<CompletionDelta[]> {
  const all: CompletionDelta[] = [];
  for await (const delta of deltas) all.push(delta);
  return all;
}

function textOf(deltas: readonly CompletionDelta[]): string {
  return deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
}

describe('a request', () => {
  test('carries key, headers, the server’s model name, messages, cap and the wish for usage', async () => {
    const { server, model } = await open(() => reply(['Hi']));
    await collect(model.complete(request()));
    const [received] = server.requests;
    expect(received?.path).toBe('/v1/chat/completions');
    expect(received?.headers).toMatchObject({ authorization: 'Bearer secret-key', 'x-team': 'blue' });
    expect(received?.body).toEqual({
      model: 'vendor-large-2',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('carries tools, earlier calls and their results', async () => {
    const { server, model } = await open(() => reply(['Hi']));
    const parameters = { type: 'object', properties: {} };
    await collect(
      model.complete(
        request({
          tools: [{ name: 'look', description: 'Looks', parameters }],
          toolChoice: 'none',
          messages: [
            { role: 'user', content: 'Look' },
            { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] },
            { role: 'tool', toolCallId: 'a', content: 'seen' },
          ],
        }),
      ),
    );
    expect(server.requests[0]?.body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks', parameters } }],
      tool_choice: 'none',
      messages: [
        { role: 'user', content: 'Look' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'seen' },
      ],
    });
  });

  test('has the same headers as the one before it, and a body of its own', async () => {
    const { server, model } = await open(() => reply(['Hi']));
    await collect(model.complete(request()));
    await collect(model.complete(request({ messages: [{ role: 'user', content: 'Bye' }] })));
    const [first, second] = server.requests;
    const { 'content-length': _, ...headers } = first?.headers ?? {};
    expect(second?.headers).toMatchObject(headers);
    expect(second?.path).toBe(first?.path);
    expect(second?.body).toEqual({ ...first?.body, messages: [{ role: 'user', content: 'Bye' }] });
  });

  test('goes to a server that has no list of models with any model id', async () => {
    const { server, catalog } = await open(() => reply(['Hi']), { models: null });
    const other = catalog.find('anything');
    await collect(other?.complete(request()) ?? (async function* () {})());
    expect(server.requests[0]?.body).toMatchObject({ model: 'anything' });
  });
});

describe('a reply', () => {
  test('comes in pieces, with usage and one finish at the end', async () => {
    const { model } = await open(() => reply(['Hel', 'lo ', '🦊'], { usage: [9, 3] }));
    expect(await collect(model.complete(request()))).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo ' },
      { type: 'text', text: '🦊' },
      { type: 'usage', usage: { promptTokens: 9, completionTokens: 3, totalTokens: 12 } },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('comes at once to somebody who does not follow it', async () => {
    const { model } = await open(() => reply(['Hel', 'lo ', '🦊'], { usage: [9, 3] }));
    expect(await collect(model.complete(request({ isFollowed: false })))).toEqual([
      { type: 'text', text: 'Hello 🦊' },
      { type: 'usage', usage: { promptTokens: 9, completionTokens: 3, totalTokens: 12 } },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('that nobody follows still comes while it is being written, when it is long', async () => {
    const rest = Promise.withResolvers<void>();
    const { model } = await open(() => ({
      steps: [
        { send: chunk({ content: 'a'.repeat(5_000) }) },
        { until: rest.promise },
        { send: chunk({}, 'stop') },
        { send: '[DONE]' },
      ],
    }));
    const deltas: CompletionDelta[] = [];
    for await (const delta of model.complete(request({ isFollowed: false }))) {
      deltas.push(delta);
      rest.resolve();
    }
    expect(textOf(deltas)).toBe('a'.repeat(5_000));
  });

  test.for([true, false])('is the same however its bytes are cut, followed: %s', async (isFollowed) => {
    const bytes = new TextEncoder().encode(
      `: hello\r\n\r\n${event(chunk({ content: 'naïve 🦊 漢字' })).replaceAll('\n', '\r\n')}${event(chunk({}, 'length'))}data: [DONE]\n\n`,
    );
    const { model } = await open(() => ({
      steps: Array.from(bytes, (byte) => [
        { write: Uint8Array.of(byte) },
        { until: new Promise(setImmediate) },
      ]).flat(),
    }));
    const deltas = await collect(model.complete(request({ isFollowed })));
    expect(textOf(deltas)).toBe('naïve 🦊 漢字');
    expect(deltas.at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });

  test('has its tool calls in fragments', async () => {
    const { model } = await open(() =>
      toolReply([
        { name: 'a', args: '{"x":1}' },
        { name: 'b', args: '{}' },
      ]),
    );
    const deltas = await collect(model.complete(request()));
    const args = deltas.flatMap((delta) =>
      delta.type === 'tool_call' && delta.index === 0 ? [delta.arguments ?? ''] : [],
    );
    expect(args.length).toBeGreaterThan(2);
    expect(args.join('')).toBe('{"x":1}');
    expect(deltas.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
  });

  test('may be a whole completion from a server that does not stream', async () => {
    const { model } = await open(() => ({
      headers: { 'content-type': 'application/json' },
      steps: [
        {
          write: JSON.stringify({
            choices: [{ index: 0, message: { content: 'Whole' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
          }),
        },
      ],
    }));
    const deltas = await collect(model.complete(request()));
    expect(textOf(deltas)).toBe('Whole');
    expect(deltas.filter(({ type }) => type === 'finish')).toHaveLength(1);
  });

  test('is complete once it has finished, whatever becomes of the connection', async () => {
    const { model } = await open(() => ({
      steps: [{ send: chunk({ content: 'Hi' }, 'stop') }, { send: usageChunk(1, 1) }, 'die'],
    }));
    expect((await collect(model.complete(request()))).map(({ type }) => type)).toEqual([
      'text',
      'usage',
      'finish',
    ]);
  });

  test.for<readonly [boolean, string, readonly string[]]>([
    [true, 'at once', ['data: [DONE]\n\n']],
    [false, 'at once', ['data: [DONE]\n\n']],
    [true, 'in two pieces', ['data: [DO', 'NE]\n\n']],
    [false, 'in two pieces', ['data: [DO', 'NE]\n\n']],
  ])(
    '(followed: %s) is over when the server says so %s, though it ends nothing',
    async ([isFollowed, , words]) => {
      const { model } = await open(() => ({
        steps: [
          { send: chunk({ content: 'Hi' }, 'stop') },
          ...words.flatMap((word) => [{ write: word }, { until: new Promise(setImmediate) }]),
          { until: 'aborted' as const },
        ],
      }));
      expect(textOf(await collect(model.complete(request({ isFollowed }))))).toBe('Hi');
    },
  );
});

describe('a failure before the first token', () => {
  test.for([429, 500, 502, 503, 529])('with status %i is tried again', async (status) => {
    const { server, model } = await open((number) =>
      number < 2 ? { status, steps: [{ write: '{"error":{"message":"busy"}}' }] } : reply(['Hi']),
    );
    expect(textOf(await collect(model.complete(request())))).toBe('Hi');
    expect(server.requests).toHaveLength(3);
  });

  test.for(['die', 'end'] as const)('by a broken connection (%s) is tried again', async (end) => {
    const { server, model } = await open((number) => (number === 0 ? { steps: [end] } : reply(['Hi'])));
    expect(textOf(await collect(model.complete(request())))).toBe('Hi');
    expect(server.requests).toHaveLength(2);
  });

  test('is not tried more often than configured', async () => {
    const { server, model } = await open(() => ({ status: 503, steps: [] }), { retries: 1 });
    await expect(collect(model.complete(request()))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(server.requests).toHaveLength(2);
  });

  test.for([400, 401, 403, 404, 422])('with status %i is final', async (status) => {
    const { server, model } = await open(() => ({ status, steps: [{ write: 'no' }] }));
    await expect(collect(model.complete(request()))).rejects.toMatchObject({ kind: 'rejected' });
    expect(server.requests).toHaveLength(1);
  });

  test('is final when the server asks for a long wait', async () => {
    const { server, model } = await open(() => ({
      status: 429,
      headers: { 'retry-after': '3600' },
      steps: [],
    }));
    await expect(collect(model.complete(request()))).rejects.toBeInstanceOf(ModelFailure);
    expect(server.requests).toHaveLength(1);
  });

  test('is final when the server keeps silent for too long', async () => {
    const { server, model } = await open(() => ({ steps: [{ until: 'aborted' }] }), { idleTimeoutMs: 300 });
    await expect(collect(model.complete(request()))).rejects.toMatchObject({ kind: 'timeout' });
    expect(server.requests).toHaveLength(1);
  });

  test('of a server that is not there is a failure, not a crash', async () => {
    const { server, model } = await open(() => reply([]), { retries: 1 });
    await server.close();
    await expect(collect(model.complete(request()))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('a failure after the first token', () => {
  test.for<readonly [string, Script['steps']]>([
    ['a broken connection', [{ send: chunk({ content: 'Hal' }) }, 'die']],
    ['an early end', [{ send: chunk({ content: 'Hal' }) }, 'end']],
    ['an error event', [{ send: chunk({ content: 'Hal' }) }, { send: { error: { message: 'oops' } } }]],
    ['no JSON', [{ send: chunk({ content: 'Hal' }) }, { send: '{"choices": [' }]],
  ])('by %s ends the reply and is not tried again', async ([, steps]) => {
    for (const isFollowed of [true, false]) {
      const { server, model } = await open(() => ({ steps }));
      const deltas: CompletionDelta[] = [];
      await expect(async () => {
        for await (const delta of model.complete(request({ isFollowed }))) deltas.push(delta);
      }).rejects.toMatchObject({ kind: 'broken' });
      expect(textOf(deltas)).toBe('Hal');
      expect(server.requests).toHaveLength(1);
    }
  });
});

describe('an abort', () => {
  test.for<readonly [string, Script]>([
    ['before the headers', { steps: [{ until: 'aborted' }] }],
    ['in mid-stream', { steps: [{ send: chunk({ content: 'Hal' }) }, { until: 'aborted' }] }],
  ])('%s throws its reason and ends the request at the server', async ([, script]) => {
    const { server, model } = await open(() => script);
    const controller = new AbortController();
    const reason = new Error('gone');
    const done = collect(model.complete(request({ signal: controller.signal })));
    done.catch(() => {});
    const received = await server.received(0);
    controller.abort(reason);
    await expect(done).rejects.toBe(reason);
    expect(await received.left).toBe(true);
  });

  test('by leaving the iteration ends the request at the server', async () => {
    const { server, model } = await open(() => ({
      steps: [{ send: chunk({ content: 'Hal' }) }, { until: 'aborted' }],
    }));
    for await (const _ of model.complete(request())) break;
    expect(await (await server.received(0)).left).toBe(true);
  });
});

describe('the list of models', () => {
  test('is the configured one', async () => {
    const { catalog, server } = await open(() => reply([]));
    expect(await catalog.list()).toEqual(['large']);
    expect(catalog.find('other')).toBeUndefined();
    expect(server.requests).toHaveLength(0);
  });

  test('is the server’s when none is configured, asked for once', async () => {
    const { catalog, server } = await open(
      () => ({
        headers: { 'content-type': 'application/json' },
        steps: [{ write: '{"object":"list","data":[{"id":"a"},{"id":"b"}]}' }],
      }),
      { models: null },
    );
    expect(await catalog.list()).toEqual(['a', 'b']);
    expect(await catalog.list()).toEqual(['a', 'b']);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  test('fails when the server does not tell', async () => {
    const { catalog } = await open(() => ({ status: 500, steps: [] }), { models: null });
    await expect(catalog.list()).rejects.toBeInstanceOf(ModelFailure);
  });
});
