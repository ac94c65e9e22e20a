import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/domain/errors.ts';
import { chunk, reply, toolReply, usageChunk } from '../../models/fake-upstream.ts';
import { aCall, anInput, aPrincipal, balance, collect, never, nowMs, openHouse, owner } from './harness.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('a reply', () => {
  test('is whole: ids, model, text, tools, finish, usage, time', async () => {
    const { chat } = await openHouse({ answer: () => reply(['Good ', 'day'], { usage: [12, 3] }) });
    const { answer, isReplay } = await chat.reply(aCall());
    expect(isReplay).toBe(false);
    expect(answer).toEqual({
      id: expect.stringMatching(uuid),
      conversationId: expect.stringMatching(uuid),
      model: 'large',
      content: 'Good day',
      toolCalls: [],
      finishReason: 'stop',
      usage: { promptTokens: 12, completionTokens: 3, totalTokens: 15 },
      createdAtMs: nowMs,
    });
  });

  test('that was cut at the cap says so', async () => {
    const { chat } = await openHouse({ answer: () => reply(['Good'], { finishReason: 'length' }) });
    expect((await chat.reply(aCall())).answer.finishReason).toBe('length');
  });

  test('without reported usage has none, and is billed by counted tokens', async () => {
    const { chat, store } = await openHouse({ answer: () => reply(['Good day'], { usage: null }) });
    const { answer, billedTokens } = await chat.reply(aCall());
    expect(answer.usage).toBeNull();
    const { used, inFlight } = await balance(store);
    expect(billedTokens).toBe(used);
    expect(used).toBeGreaterThan(20);
    expect(used).toBeLessThan(100);
    expect(inFlight).toBe(0);
  });

  test('with a true zero reported is billed zero', async () => {
    const { chat, store } = await openHouse({ answer: () => reply(['Good day'], { usage: [0, 0] }) });
    expect((await chat.reply(aCall())).answer.usage?.totalTokens).toBe(0);
    expect(await balance(store)).toEqual({ used: 0, inFlight: 0 });
  });

  test('that never ends is cut at the completion cap', async () => {
    const { chat, server, store } = await openHouse({
      model: { completionTokens: 50 },
      answer: () => ({
        steps: [],
        *more() {
          for (;;) yield { send: chunk({ content: 'and so on and on, '.repeat(50) }) };
        },
      }),
    });
    const { answer } = await chat.reply(aCall());
    expect(answer.finishReason).toBe('length');
    expect(answer.content.length).toBeLessThan(100_000);
    expect(await (await server.received(0)).left).toBe(true);
    expect((await balance(store)).used).toBeGreaterThan(50);
  });

  test('never holds half a character, wherever the server cuts', async () => {
    const halves = ['a\ud83e', '\udd8a', 'b'];
    const { chat } = await openHouse({ answer: () => reply(halves) });
    const events = await collect(chat.stream(aCall()));
    const pieces = events.flatMap((event) => (event.type === 'content' ? [event.content] : []));
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(pieces.join('')).toBe('a🦊b');
  });
});

describe('the model', () => {
  const answer = () => reply(['Hi']);

  test.for<readonly [string, Parameters<typeof aPrincipal>[0], string | undefined, string]>([
    ['the key’s first', { key: { models: ['small', 'large'] } }, undefined, 'small'],
    [
      'the first that everybody allows',
      { key: { models: ['small', 'large'] }, organization: { models: ['large'] } },
      undefined,
      'large',
    ],
    ['the configured first without any list', { key: { models: [] } }, undefined, 'large'],
    ['the one asked for', { key: { models: ['large', 'small'] } }, 'small', 'small'],
    ['the actor’s', { key: { models: [] }, actor: { models: ['small'] } }, undefined, 'small'],
  ])('is %s', async ([, fields, requested, expected]) => {
    const { chat, server } = await openHouse({ answer });
    const input = requested === undefined ? {} : { model: requested };
    const result = await chat.reply(aCall('Hello', input, aPrincipal(fields)));
    expect(result.answer.model).toBe(expected);
    expect(server.requests[0]?.body.model).toBe(expected);
  });

  test.for<readonly [string, Parameters<typeof aPrincipal>[0], readonly string[]]>([
    ['the key', { key: { models: ['small'] } }, ['small']],
    ['the organization', { key: { models: [] }, organization: { models: ['small'] } }, ['small']],
    ['the actor', { key: { models: ['large', 'small'] }, actor: { models: ['small'] } }, ['small']],
    ['everybody together', { key: { models: ['large'] }, organization: { models: ['small'] } }, []],
  ])('outside of what %s allows is refused, and nothing is asked or kept', async ([, fields, allowed]) => {
    const { chat, server, conversations } = await openHouse({ answer });
    await expect(chat.reply(aCall('Hello', { model: 'large' }, aPrincipal(fields)))).rejects.toMatchObject({
      slug: 'model_not_allowed',
      extra: { requested_model: 'large', allowed_models: allowed },
    });
    expect(server.requests).toHaveLength(0);
    expect((await conversations.list(owner, {})).data).toEqual([]);
  });

  test('that is not configured is refused whatever is allowed', async () => {
    const { chat } = await openHouse({ answer });
    const principal = aPrincipal({ key: { models: ['large', 'gone'] } });
    await expect(chat.reply(aCall('Hello', { model: 'gone' }, principal))).rejects.toMatchObject({
      slug: 'model_not_allowed',
      extra: { allowed_models: ['large'] },
    });
  });

  test('cannot be chosen when the server does not tell what it has', async () => {
    const { chat } = await openHouse({
      answer: () => ({ status: 500, steps: [] }),
      upstream: { models: null },
    });
    const principal = aPrincipal({ key: { models: [] } });
    await expect(chat.reply(aCall('Hello', {}, principal))).rejects.toMatchObject({
      slug: 'policy_lookup_failed',
    });
    await expect(chat.effectiveModels(principal)).rejects.toBeInstanceOf(ServiceError);
  });

  test('of a list is served by a server that does not tell what it has', async () => {
    const { chat } = await openHouse({ answer, upstream: { models: null } });
    const principal = aPrincipal({ key: { models: ['vendor-x'] } });
    expect((await chat.reply(aCall('Hello', {}, principal))).answer.model).toBe('vendor-x');
  });
});

describe('what the model reads', () => {
  test.for([
    ['auto', null, 'Match the depth'],
    ['technical', null, 'expert'],
    ['simple', null, 'plain, short'],
    ['technical', 'simple', 'plain, short'],
  ] as const)('begins with the manner of mode %s, pinned %s', async ([mode, pinnedMode, words]) => {
    const { chat, server, conversations } = await openHouse({ answer: () => reply(['Hi']) });
    const principal = aPrincipal({ organization: { pinnedMode } });
    const { answer } = await chat.reply(aCall('Hello', { mode }, principal));
    expect(server.requests[0]?.body.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining(words),
    });
    expect((await conversations.get(owner, answer.conversationId ?? '')).mode).toBe(pinnedMode ?? mode);
  });

  test('is the conversation so far, and system messages of this turn only', async () => {
    const { chat, server } = await openHouse({ answer: (_, number) => reply([`Answer ${number}`]) });
    const first = await chat.reply({
      ...aCall(),
      input: anInput('', {
        messages: [
          { role: 'system', content: 'Speak like a pirate.' },
          { role: 'user', content: 'One' },
          { role: 'assistant', content: 'Aye' },
          { role: 'user', content: 'Two' },
        ],
      }),
    });
    const conversationId = first.answer.conversationId ?? '';
    await chat.reply(aCall('Three', { conversationId }));
    const [before, after] = server.requests.map(({ body }) => body.messages.slice(1));
    expect(before).toEqual([
      { role: 'system', content: 'Speak like a pirate.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Aye' },
      { role: 'user', content: 'Two' },
    ]);
    expect(after).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Aye' },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: 'Answer 0' },
      { role: 'user', content: 'Three' },
    ]);
  });

  test('fits its context: the oldest turns are left out whole', async () => {
    const { chat, server } = await openHouse({
      answer: () => reply(['word '.repeat(100)]),
      model: { contextTokens: 1_000, completionTokens: 100 },
    });
    let conversationId: string | undefined;
    for (let turn = 0; turn < 8; turn += 1) {
      const fields = conversationId === undefined ? {} : { conversationId };
      const result = await chat.reply(aCall(`Question ${turn} ${'word '.repeat(100)}`, fields));
      conversationId = result.answer.conversationId ?? '';
    }
    const messages: { role: string; content: string }[] = server.requests.at(-1)?.body.messages;
    const spoken = messages.filter(({ role }) => role !== 'system');
    expect(spoken.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(spoken[0]?.content).toContain('Question 4');
    const tokens = await tokenizerCount(messages);
    expect(tokens).toBeLessThanOrEqual(900);
  });

  test('is refused when the input alone does not fit', async () => {
    const { chat, server } = await openHouse({ answer: () => reply(['Hi']) });
    await expect(chat.reply(aCall('word '.repeat(20_000)))).rejects.toMatchObject({
      slug: 'invalid_request',
    });
    expect(server.requests).toHaveLength(0);
  });
});

async function tokenizerCount(messages: readonly { content: string }[]): Promise<number> {
  const { tokenizer } = await import('./harness.ts');
  let tokens = 0;
  for (const { content } of messages) tokens += await tokenizer.count(content);
  return tokens;
}

describe('a stream', () => {
  test('has meta first, the text in pieces, and done last', async () => {
    const { chat } = await openHouse({ answer: () => reply(['Good ', 'day']) });
    const events = await collect(chat.stream(aCall()));
    const conversationId = expect.stringMatching(uuid);
    expect(events).toEqual([
      { type: 'meta', conversationId, model: 'large' },
      { type: 'content', content: 'Good ' },
      { type: 'content', content: 'day' },
      { type: 'done', conversationId, model: 'large', finishReason: 'stop' },
    ]);
  });

  test('tells of tools as they begin and end', async () => {
    const { chat } = await openHouse({
      answer: (_, number) =>
        number === 0 ? toolReply([{ name: 'look', args: '{"at":"it"}' }]) : reply(['Seen']),
      tools: [
        {
          name: 'look',
          description: 'Looks',
          parameters: { type: 'object', properties: { at: { type: 'string' } } },
          label: ({ at }) => `Looking at ${at}`,
          run: async () => 'it is there',
        },
      ],
    });
    const events = await collect(chat.stream(aCall()));
    expect(events.slice(1, -1)).toEqual([
      { type: 'tool_call_start', name: 'look', args: { at: 'it' } },
      { type: 'step', status: 'running', label: 'Looking at it', tool: 'look' },
      { type: 'step', status: 'completed', label: 'Looking at it', tool: 'look' },
      { type: 'content', content: 'Seen' },
    ]);
  });

  test.for([
    ['status 500', { status: 500, steps: [] }],
    ['status 429', { status: 429, steps: [{ write: '{"error":{"message":"quota of upstream-secret"}}' }] }],
    ['status 400', { status: 400, steps: [{ write: '{"error":{"message":"internals"}}' }] }],
    ['a broken connection', { steps: ['die'] }],
    ['death in mid-stream', { steps: [{ send: chunk({ content: 'Goo' }) }, 'die'] }],
    ['nonsense', { steps: [{ send: 'nonsense' }] }],
    ['an empty answer', { steps: [] }],
  ] as const)('ends with the generic error event after %s, its cause reported', async ([, script]) => {
    const { chat, reports } = await openHouse({ answer: () => script });
    const events = await collect(chat.stream(aCall()));
    expect(events[0]).toMatchObject({ type: 'meta' });
    expect(events.at(-1)).toEqual({ type: 'error', code: 'internal_error', error: 'Something went wrong' });
    expect(events.filter(({ type }) => type === 'error' || type === 'done')).toHaveLength(1);
    expect(JSON.stringify(events)).not.toMatch(/secret|internals/);
    expect(reports).toHaveLength(1);
  });

  test.for([
    ['a model that is not allowed', { model: 'gone' }, 'model_not_allowed'],
    [
      'an unknown conversation',
      { conversationId: '00000000-0000-7000-8000-000000000000' },
      'conversation_not_found',
    ],
  ] as const)('that fails for %s throws before any event', async ([, fields, slug]) => {
    const { chat } = await openHouse({ answer: () => reply(['Hi']) });
    await expect(chat.stream(aCall('Hello', fields)).next()).rejects.toMatchObject({ slug });
  });

  test('that broke can be gone on with: what was said is in the conversation', async () => {
    const { chat, conversations } = await openHouse({
      answer: (_, number) =>
        number === 0 ? { steps: [{ send: chunk({ content: 'Half' }) }, 'die'] } : reply(['Whole']),
    });
    const [meta] = await collect(chat.stream(aCall('Hello')));
    const conversationId = meta?.type === 'meta' ? meta.conversationId : '';
    await collect(chat.stream(aCall('Go on', { conversationId })));
    const { messages } = await conversations.get(owner, conversationId);
    expect(messages.map(({ id, role, content }) => [id, role, content])).toEqual([
      [1, 'user', 'Hello'],
      [2, 'assistant', 'Half'],
      [3, 'user', 'Go on'],
      [4, 'assistant', 'Whole'],
    ]);
  });

  test('that failed before any text can be gone on with as well', async () => {
    const { chat, conversations } = await openHouse({
      answer: (_, number) => (number < 3 ? { status: 500, steps: [] } : reply(['Whole'])),
    });
    const [meta] = await collect(chat.stream(aCall('Hello')));
    const conversationId = meta?.type === 'meta' ? meta.conversationId : '';
    expect((await conversations.list(owner, {})).data).toEqual([]);
    expect((await collect(chat.stream(aCall('Again', { conversationId })))).at(-1)?.type).toBe('done');
    expect((await conversations.get(owner, conversationId)).messages.map(({ content }) => content)).toEqual([
      'Again',
      'Whole',
    ]);
  });

  test('waits for a slow reader instead of piling up', async () => {
    let sent = 0;
    const { chat } = await openHouse({
      model: { contextTokens: 20_000_000, completionTokens: 9_000_000 },
      answer: () => ({
        steps: [],
        *more() {
          for (; sent < 3_000; sent += 1) yield { send: chunk({ content: 'x'.repeat(4_000) }) };
          yield { send: chunk({}, 'stop') };
        },
      }),
    });
    const principal = aPrincipal({ key: { tokenBudget: null } });
    const events = chat.stream(aCall('Hello', {}, principal));
    await events.next();
    await events.next();
    // The server goes on until its connection is full; the service's memory is not filled.
    for (let idle = 0, before = -1; idle < 2_000; idle = sent === before ? idle + 1 : 0) {
      before = sent;
      await new Promise(setImmediate);
    }
    expect(sent).toBeLessThan(3_000);
    await events.return(undefined);
  });
});

describe('a caller who leaves', () => {
  test('a stream ends the model’s work; what was said is kept and billed', async () => {
    const { chat, server, conversations, store } = await openHouse({
      answer: () => ({ steps: [{ send: chunk({ content: 'Half a reply' }) }, { until: 'aborted' }] }),
    });
    const controller = new AbortController();
    const events = chat.stream({ ...aCall('Hello'), signal: controller.signal });
    const meta = (await events.next()).value;
    await events.next();
    controller.abort(new Error('gone'));
    await expect(events.next()).rejects.toThrow('gone');
    expect(await (await server.received(0)).left).toBe(true);
    await chat.close(1_000);
    const conversationId = meta?.type === 'meta' ? meta.conversationId : '';
    const { messages } = await conversations.get(owner, conversationId);
    expect(messages.map(({ content }) => content)).toEqual(['Hello', 'Half a reply']);
    const { used, inFlight } = await balance(store);
    expect(used).toBeGreaterThan(10);
    expect(inFlight).toBe(0);
  });

  test('a stream that is not read any further ends in the same way', async () => {
    const { chat, server, store } = await openHouse({
      answer: () => ({ steps: [{ send: chunk({ content: 'Half' }) }, { until: 'aborted' }] }),
    });
    for await (const event of chat.stream(aCall())) if (event.type === 'content') break;
    expect(await (await server.received(0)).left).toBe(true);
    await chat.close(1_000);
    expect((await balance(store)).used).toBeGreaterThan(10);
  });

  test('a one-shot call ends the model’s work; what was said is kept and billed', async () => {
    let isHalf = () => {};
    const half = new Promise<void>((resolve) => {
      isHalf = resolve;
    });
    const { chat, server, conversations, store } = await openHouse({
      answer: () => ({
        steps: [
          { send: chunk({ content: 'Half' }) },
          { until: Promise.resolve().then(isHalf) },
          { until: 'aborted' },
        ],
      }),
    });
    const controller = new AbortController();
    const call = chat.reply({ ...aCall('Hello'), signal: controller.signal });
    call.catch(() => {});
    await half;
    // The text is on its way through the connection.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    controller.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    expect(await (await server.received(0)).left).toBe(true);
    const [listed] = (await conversations.list(owner, {})).data;
    const { messages } = await conversations.get(owner, listed?.id ?? '');
    expect(messages.map(({ content }) => content)).toEqual(['Hello', 'Half']);
    expect((await balance(store)).used).toBeGreaterThan(10);
  });

  test('before anything was said leaves nothing but a free conversation', async () => {
    const { chat, server, conversations, store } = await openHouse({
      answer: () => ({ steps: [{ until: 'aborted' }] }),
    });
    const controller = new AbortController();
    const call = chat.reply({ ...aCall(), signal: controller.signal });
    call.catch(() => {});
    await server.received(0);
    controller.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    expect((await conversations.list(owner, {})).data).toEqual([]);
    expect(await balance(store)).toEqual({ used: 0, inFlight: 0 });
  });
});

describe('a query', () => {
  test('answers, is billed, and leaves nothing behind', async () => {
    const { chat, store, conversations } = await openHouse({
      answer: () => reply(['42'], { usage: [5, 1] }),
    });
    const { answer } = await chat.query(aCall('What is it?'));
    expect(answer).toMatchObject({ content: '42', conversationId: null, model: 'large' });
    expect((await conversations.list(owner, {})).data).toEqual([]);
    expect(await balance(store)).toEqual({ used: 6, inFlight: 0 });
    await chat.close(1_000);
    expect(await store.turns.get(answer.id)).toBeUndefined();
  });
});

describe('a failing one-shot call', () => {
  test('is an internal error that says nothing of the server, billed for what came, with nothing kept', async () => {
    const { chat, store, conversations } = await openHouse({
      answer: () => ({ steps: [{ send: chunk({ content: 'Half' }) }, { send: usageChunk(7, 1) }, 'die'] }),
    });
    const failure: ServiceError = await chat.reply(aCall()).catch((error) => error);
    expect(failure).toMatchObject({ slug: 'internal_error', detail: undefined, extra: {} });
    expect(await balance(store)).toEqual({ used: 8, inFlight: 0 });
    expect((await conversations.list(owner, {})).data).toEqual([]);
  });

  test('of a service that is closing ends within its deadline', async () => {
    const { chat, server } = await openHouse({ answer: () => ({ steps: [{ until: 'aborted' }] }) });
    const call = chat.reply({ principal: aPrincipal(), input: anInput('Hello'), signal: never });
    call.catch(() => {});
    await server.received(0);
    await chat.close(10);
    await expect(call).rejects.toMatchObject({ slug: 'internal_error' });
    await expect(chat.reply(aCall())).rejects.toMatchObject({ slug: 'internal_error' });
  });
});
