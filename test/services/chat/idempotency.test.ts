import { describe, expect, test } from 'vitest';
import { parseIdempotencyKey } from '../../../src/domain/idempotency.ts';
import { reply, toolReply } from '../../models/fake-upstream.ts';
import { aCall, aPrincipal, balance, openHouse, outcomes, owner } from './harness.ts';

const idempotencyKey = 'order-7';

/** A promise to be resolved from outside. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

describe('an idempotency key', () => {
  test.for([null, 'a', ' ~', 'x'.repeat(255)])('%j is accepted', (header) => {
    expect(parseIdempotencyKey(header)).toBe(header ?? undefined);
  });

  test.for(['', 'x'.repeat(256), 'schlüssel', 'a\tb', '\u007f'])('%j is refused', (header) => {
    expect(() => parseIdempotencyKey(header)).toThrow(expect.objectContaining({ slug: 'invalid_request' }));
  });

  test('used again gives the same answer, asks nothing, costs nothing, keeps nothing more', async () => {
    const { chat, server, store, conversations } = await openHouse({ answer: () => reply(['Hi']) });
    const first = await chat.reply({ ...aCall(), idempotencyKey });
    const again = await chat.reply({ ...aCall(), idempotencyKey });
    expect(again).toEqual({ answer: first.answer, isReplay: true, billedTokens: 0 });
    expect(server.requests).toHaveLength(1);
    expect(await balance(store)).toEqual({ used: 15, inFlight: 0 });
    expect((await conversations.get(owner, first.answer.conversationId ?? '')).messages).toHaveLength(2);
  });

  test('of 20 calls at once runs one; the others are told so or get its answer', async () => {
    const house = await openHouse({ answer: () => reply(['Hi']) });
    const second = await house.second();
    const { values, slugs } = await outcomes(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? house : second).chat.reply({ ...aCall(), idempotencyKey }),
      ),
    );
    expect(house.server.requests).toHaveLength(1);
    expect(values.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(new Set(values.map(({ answer }) => answer.id)).size).toBe(1);
    expect(slugs.every((slug) => slug === 'request_in_progress')).toBe(true);
    expect(await balance(house.store)).toEqual({ used: 15, inFlight: 0 });
    expect((await house.conversations.list(owner, {})).data).toHaveLength(1);
  });

  test('is in progress while the first call runs', async () => {
    const { open, passed } = gate();
    const { chat, server } = await openHouse({
      answer: async () => {
        await passed;
        return reply(['Hi']);
      },
    });
    const first = chat.reply({ ...aCall(), idempotencyKey });
    await server.received(0);
    await expect(chat.reply({ ...aCall(), idempotencyKey })).rejects.toMatchObject({
      slug: 'request_in_progress',
    });
    open();
    expect((await first).isReplay).toBe(false);
  });

  test.for(['running', 'completed'] as const)('with another body is refused while %s', async (state) => {
    const { open, passed } = gate();
    const { chat, server } = await openHouse({
      answer: async () => {
        await passed;
        return reply(['Hi']);
      },
    });
    const first = chat.reply({ ...aCall(), idempotencyKey });
    await server.received(0);
    if (state === 'completed') {
      open();
      await first;
    }
    for (const fields of [{ model: 'large' }, { mode: 'simple' }, { permission: 'read' }] as const) {
      await expect(chat.reply({ ...aCall('Hello', fields), idempotencyKey })).rejects.toMatchObject({
        slug: 'invalid_request',
        detail: expect.stringContaining('another request body'),
      });
    }
    open();
    await first;
  });

  test('belongs to its API key', async () => {
    const { chat, server } = await openHouse({ answer: () => reply(['Hi']) });
    await chat.reply({ ...aCall(), idempotencyKey });
    const other = aPrincipal({ key: { id: 'key-2' } });
    expect((await chat.reply({ ...aCall('Hello', {}, other), idempotencyKey })).isReplay).toBe(false);
    expect(server.requests).toHaveLength(2);
  });

  test('is kept for 24 hours and free after them', async () => {
    const { chat, pass, server, conversations } = await openHouse({ answer: () => reply(['Hi']) });
    const first = await chat.reply({ ...aCall(), idempotencyKey });
    pass(86_399_000);
    expect((await chat.reply({ ...aCall(), idempotencyKey })).isReplay).toBe(true);
    pass(1_000);
    const later = await chat.reply({ ...aCall('Other body'), idempotencyKey });
    expect(later.isReplay).toBe(false);
    expect(later.answer.id).not.toBe(first.answer.id);
    expect(server.requests).toHaveLength(2);
    expect((await conversations.get(owner, first.answer.conversationId ?? '')).messages).toHaveLength(2);
  });

  test('of a failed call is free at once', async () => {
    const { chat, server, store } = await openHouse({
      answer: (_, number) => (number === 0 ? { status: 400, steps: [] } : reply(['Hi'])),
    });
    await expect(chat.reply({ ...aCall(), idempotencyKey })).rejects.toMatchObject({
      slug: 'internal_error',
    });
    expect((await chat.reply({ ...aCall(), idempotencyKey })).isReplay).toBe(false);
    expect(server.requests).toHaveLength(2);
    expect(await balance(store)).toEqual({ used: 15, inFlight: 0 });
  });

  test('of a refused call is free at once', async () => {
    const { chat } = await openHouse({ answer: () => reply(['Hi']) });
    const poor = aPrincipal({ key: { tokenBudget: 10 } });
    await expect(chat.reply({ ...aCall('Hello', {}, poor), idempotencyKey })).rejects.toMatchObject({
      slug: 'budget_exhausted',
    });
    expect((await chat.reply({ ...aCall(), idempotencyKey })).isReplay).toBe(false);
  });

  test('of a caller who left is free: what was said is kept and billed, and a repeat runs anew', async () => {
    const half = 'Half a reply. '.repeat(500);
    const { chat, server, store, conversations } = await openHouse({
      answer: (_, number) =>
        number === 0
          ? toolReply([{ name: 'look', args: '{}' }], half)
          : number === 1
            ? { steps: [{ until: 'aborted' }] }
            : reply(['Hi']),
      tools: [{ name: 'look', description: 'Looks', parameters: { type: 'object' }, run: async () => '7' }],
    });
    const controller = new AbortController();
    const first = chat.reply({ ...aCall(), signal: controller.signal, idempotencyKey });
    first.catch(() => {});
    const received = await server.received(1);
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(await received.left).toBe(true);
    const [left] = (await conversations.list(owner, {})).data;
    const { messages } = await conversations.get(owner, left?.id ?? '');
    expect(messages.map(({ content }) => content)).toEqual(['Hello', half]);
    expect(await balance(store)).toEqual({ used: 27, inFlight: 0 });
    const again = await chat.reply({ ...aCall(), idempotencyKey });
    expect(again).toMatchObject({ isReplay: false, answer: { content: 'Hi' } });
    expect(await chat.reply({ ...aCall(), idempotencyKey })).toEqual({
      ...again,
      isReplay: true,
      billedTokens: 0,
    });
    expect(await balance(store)).toEqual({ used: 27 + 15, inFlight: 0 });
  });

  test('of a caller who left before anything was said is free, and nothing is billed', async () => {
    const { chat, server, store } = await openHouse({
      answer: (_, number) => (number === 0 ? { steps: [{ until: 'aborted' }] } : reply(['Hi'])),
    });
    const controller = new AbortController();
    const first = chat.reply({ ...aCall(), signal: controller.signal, idempotencyKey });
    first.catch(() => {});
    await server.received(0);
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(await balance(store)).toEqual({ used: 0, inFlight: 0 });
    expect((await chat.reply({ ...aCall('Other body'), idempotencyKey })).isReplay).toBe(false);
  });

  test('of a caller who left is free though its process died before it gave it back', async () => {
    let isDead = true;
    const { chat, server } = await openHouse({
      answer: (_, number) =>
        number === 0
          ? toolReply([{ name: 'look', args: '{}' }], 'Half')
          : number === 1
            ? { steps: [{ until: 'aborted' }] }
            : reply(['Hi']),
      tools: [{ name: 'look', description: 'Looks', parameters: { type: 'object' }, run: async () => '7' }],
      wrapStore: (store) => ({
        ...store,
        turns: {
          ...store.turns,
          forgetClaim: (id) => (isDead ? Promise.reject(new Error('dead')) : store.turns.forgetClaim(id)),
        },
      }),
    });
    const controller = new AbortController();
    const first = chat.reply({ ...aCall(), signal: controller.signal, idempotencyKey });
    first.catch(() => {});
    await server.received(1);
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    isDead = false;
    expect((await chat.reply({ ...aCall('Other body'), idempotencyKey })).answer.content).toBe('Hi');
  });

  test.for(['the caller left', 'the model failed'])(
    'lets a repeat go on after a writing tool when %s',
    async (why) => {
      let writes = 0;
      const tool = {
        name: 'post',
        description: 'Posts',
        parameters: { type: 'object' },
        writes: () => true,
        run: async () => `posted ${++writes}`,
      };
      const { chat, server } = await openHouse({
        answer: (_, number) => {
          if (number === 0) return toolReply([{ name: 'post', args: '{}' }], 'One moment.');
          if (number === 1)
            return why === 'the caller left' ? { steps: [{ until: 'aborted' }] } : { status: 400, steps: [] };
          return reply(['Posted']);
        },
        tools: [tool],
      });
      const controller = new AbortController();
      const first = chat.reply({ ...aCall(), signal: controller.signal, idempotencyKey });
      first.catch(() => {});
      await server.received(1);
      if (why === 'the caller left') controller.abort(new Error('gone'));
      await expect(first).rejects.toThrow();
      const { answer } = await chat.reply({ ...aCall(), idempotencyKey });
      expect(writes).toBe(1);
      expect(answer.content).toBe('One moment.\n\nPosted');
    },
  );

  test('of a dead process is free when its lease ends, and its late finish changes nothing', async () => {
    const { open, passed } = gate();
    const house = await openHouse({
      answer: async (_, number) => {
        if (number === 0) await passed;
        return reply([`Answer ${number}`]);
      },
    });
    const late = house.chat.reply({ ...aCall(), idempotencyKey });
    late.catch(() => {});
    await house.server.received(0);
    // The first runner stands still for a minute: none of its timers ran.
    house.pass(60_000);
    const second = await house.second();
    const { answer, isReplay } = await second.chat.reply({ ...aCall(), idempotencyKey });
    expect([answer.content, isReplay]).toEqual(['Answer 1', false]);
    open();
    await expect(late).rejects.toMatchObject({ slug: 'request_in_progress' });
    expect(await house.chat.reply({ ...aCall(), idempotencyKey })).toEqual({
      answer,
      isReplay: true,
      billedTokens: 0,
    });
    expect((await balance(house.store)).used).toBe(15);
    expect((await house.conversations.get(owner, answer.conversationId ?? '')).messages).toHaveLength(2);
  });

  test('never runs a writing tool twice, though the call failed after it', async () => {
    let writes = 0;
    const tool = {
      name: 'post',
      description: 'Posts',
      parameters: { type: 'object' },
      writes: () => true,
      run: async () => `posted ${++writes}`,
    };
    const { chat, server, store } = await openHouse({
      answer: (_, number) => {
        if (number === 0) return toolReply([{ name: 'post', args: '{}' }]);
        return number === 1 ? { status: 400, steps: [] } : reply(['Posted']);
      },
      tools: [tool],
    });
    await expect(chat.reply({ ...aCall(), idempotencyKey })).rejects.toMatchObject({
      slug: 'internal_error',
    });
    const { answer } = await chat.reply({ ...aCall(), idempotencyKey });
    expect(writes).toBe(1);
    expect(answer).toMatchObject({ content: 'Posted', toolCalls: [{ name: 'post', args: {} }] });
    expect(server.requests[2]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'posted 1' });
    expect(answer.usage?.totalTokens).toBe(27 + 15);
    expect(await balance(store)).toEqual({ used: 27 + 15, inFlight: 0 });
  });

  test.for(['before it comes to what was done', 'on its way through what was done'])(
    'never runs a writing tool twice, though a repeat failed %s',
    async (when) => {
      let writes = 0;
      let isAway = false;
      const schema = { description: 'A tool', parameters: { type: 'object' } } as const;
      const post = { ...schema, name: 'post', writes: () => true, run: async () => `posted ${++writes}` };
      const look = { ...schema, name: 'look', run: async () => '7' };
      const away = () => Promise.reject(new Error('away'));
      const { chat } = await openHouse({
        answer: (_, number) => {
          if (number === 1) return toolReply([{ name: 'look', args: '{}' }]);
          if (number === 2) return toolReply([{ name: 'post', args: '{}' }]);
          return number === 3 ? { status: 400, steps: [] } : reply(['Posted']);
        },
        tools: [look, post],
        wrapStore: ({ conversations, turns, ...store }) => ({
          ...store,
          conversations: {
            ...conversations,
            lock: (...args) =>
              isAway && when === 'before it comes to what was done' ? away() : conversations.lock(...args),
          },
          turns: { ...turns, journal: (...args) => (isAway ? away() : turns.journal(...args)) },
        }),
      });
      const { conversationId } = (await chat.reply(aCall())).answer;
      if (conversationId === null) throw new Error('no conversation');
      const repeat = () => chat.reply({ ...aCall('Post it', { conversationId }), idempotencyKey });
      await expect(repeat()).rejects.toMatchObject({ slug: 'internal_error' });
      isAway = true;
      await expect(repeat()).rejects.toThrow();
      isAway = false;
      expect((await repeat()).answer).toMatchObject({
        content: 'Posted',
        toolCalls: [{ name: 'look' }, { name: 'post' }],
      });
      expect(writes).toBe(1);
    },
  );
});
