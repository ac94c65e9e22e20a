import { describe, expect, test } from 'vitest';
import { reply } from '../../models/fake-upstream.ts';
import { aCall, anInput, aPrincipal, collect, openHouse, outcomes, owner } from './harness.ts';

const stranger = aPrincipal({ actor: { id: 'user-2' }, key: { id: 'key-2' } });
const hi = () => reply(['Hi']);

describe('a conversation', () => {
  test('is titled by its first user message: 80 characters, white space folded', async () => {
    const { chat, conversations } = await openHouse({ answer: hi });
    const messages = [
      { role: 'system', content: 'Never shown' },
      { role: 'user', content: `  Tell\n\tme ${'🦊'.repeat(100)}` },
    ] as const;
    await chat.reply({ ...aCall(), input: anInput('', { messages }) });
    const [conversation] = (await conversations.list(owner, {})).data;
    expect(conversation?.title).toBe(`Tell me ${'🦊'.repeat(72)}`);
  });

  test('has its messages numbered from 1, without system messages', async () => {
    const { chat, conversations } = await openHouse({ answer: hi });
    const messages = [
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Two' },
      { role: 'user', content: 'Three' },
    ] as const;
    const { answer } = await chat.reply({ ...aCall(), input: anInput('', { messages }) });
    const read = await conversations.get(owner, answer.conversationId ?? '');
    expect(read.messages.map(({ id, role, content }) => [id, role, content])).toEqual([
      [1, 'user', 'One'],
      [2, 'assistant', 'Two'],
      [3, 'user', 'Three'],
      [4, 'assistant', 'Hi'],
    ]);
  });

  test('moves to the top, with the model and mode of its last turn', async () => {
    const { chat, conversations, pass } = await openHouse({ answer: hi });
    const principal = aPrincipal({ key: { models: ['large', 'small'] } });
    const first = await chat.reply(aCall('First', {}, principal));
    pass(10);
    await chat.reply(aCall('Second', {}, principal));
    pass(10);
    const conversationId = first.answer.conversationId ?? '';
    await chat.reply(aCall('Third', { conversationId, model: 'small', mode: 'technical' }, principal));
    const { data } = await conversations.list(owner, {});
    expect(data.map(({ title, model, mode }) => [title, model, mode])).toEqual([
      ['First', 'small', 'technical'],
      ['Second', 'large', 'auto'],
    ]);
  });

  test('of another actor is indistinguishable from none', async () => {
    const { chat, conversations } = await openHouse({ answer: hi });
    const { answer } = await chat.reply(aCall());
    const id = answer.conversationId ?? '';
    const other = { organizationId: 'organization-1', actorId: 'user-2' };
    const unknown = '00000000-0000-7000-8000-000000000000';
    for (const conversationId of [id, unknown]) {
      const failure = await chat.reply(aCall('Mine?', { conversationId }, stranger)).catch((error) => error);
      expect(failure).toMatchObject({ slug: 'conversation_not_found', detail: undefined, extra: {} });
      await expect(conversations.get(other, conversationId)).rejects.toMatchObject({ slug: 'not_found' });
      await expect(conversations.delete(other, conversationId)).rejects.toMatchObject({ slug: 'not_found' });
    }
    expect((await conversations.list(other, {})).data).toEqual([]);
  });

  test('of another actor does not even keep a caller waiting while it is in use', async () => {
    const { chat, server } = await openHouse({
      answer: (_, number) => (number === 0 ? hi() : { steps: [{ until: 'aborted' }] }),
    });
    const { answer } = await chat.reply(aCall());
    const conversationId = answer.conversationId ?? '';
    const running = chat.reply(aCall('Long', { conversationId }));
    running.catch(() => {});
    await server.received(1);
    await expect(chat.reply(aCall('Mine?', { conversationId }, stranger))).rejects.toMatchObject({
      slug: 'conversation_not_found',
    });
  });

  test('that was deleted is as good as none', async () => {
    const { chat, conversations } = await openHouse({ answer: hi });
    const conversationId = (await chat.reply(aCall())).answer.conversationId ?? '';
    await conversations.delete(owner, conversationId);
    await expect(chat.reply(aCall('Again', { conversationId }))).rejects.toMatchObject({
      slug: 'conversation_not_found',
    });
    await expect(conversations.get(owner, conversationId)).rejects.toMatchObject({ slug: 'not_found' });
    expect(await conversations.list(owner, {})).toEqual({ data: [], hasMore: false });
  });

  test.for([0, -1, 101, 1.5, Number.NaN])('list of %d rows is refused', async (limit) => {
    const { conversations } = await openHouse({ answer: hi });
    await expect(conversations.list(owner, { limit })).rejects.toMatchObject({ slug: 'invalid_request' });
  });

  test('list has more when its page is full', async () => {
    const { chat, conversations } = await openHouse({ answer: hi });
    for (let index = 0; index < 3; index += 1) await chat.reply(aCall());
    expect(await conversations.list(owner, { limit: 3 })).toMatchObject({ hasMore: true });
    expect(await conversations.list(owner, { limit: 4 })).toMatchObject({ hasMore: false });
  });
});

describe('turns of one conversation', () => {
  test('never interleave: 10 at once, on two processes', async () => {
    const house = await openHouse({ answer: ({ body }) => reply([`Re: ${body.messages.at(-1).content}`]) });
    const second = await house.second();
    const { answer } = await house.chat.reply(aCall('0'));
    const conversationId = answer.conversationId ?? '';
    const calls = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? house : second).chat.reply(aCall(`${index + 1}`, { conversationId })),
    );
    expect((await outcomes(calls)).slugs).toEqual([]);
    const { messages } = await house.conversations.get(owner, conversationId);
    expect(messages).toHaveLength(22);
    expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
    for (let index = 0; index < 22; index += 2) {
      expect(messages[index + 1]?.content).toBe(`Re: ${messages[index]?.content}`);
    }
    // Each turn has read everything before it.
    const lengths = house.server.requests.map(({ body }) => body.messages.length).toSorted((a, b) => a - b);
    expect(lengths).toEqual(Array.from({ length: 11 }, (_, index) => 2 + index * 2));
    expect(house.server.mostInFlight).toBe(1);
  });

  test.for(['this', 'another'] as const)(
    'wait for each other, but not for ever (%s process)',
    async (place) => {
      const house = await openHouse({
        answer: (_, number) => (number === 0 ? hi() : { steps: [{ until: 'aborted' }] }),
        turnWaitMs: 120,
      });
      const other = place === 'this' ? house : await house.second();
      const conversationId = (await house.chat.reply(aCall())).answer.conversationId ?? '';
      const running = house.chat.reply(aCall('Long', { conversationId }));
      running.catch(() => {});
      await house.server.received(1);
      await expect(other.chat.reply(aCall('Me too', { conversationId }))).rejects.toMatchObject({
        slug: 'request_in_progress',
      });
      expect(house.server.requests).toHaveLength(2);
    },
  );

  test('of a stream that was left go on in the same conversation at once', async () => {
    const house = await openHouse({
      answer: (_, number) =>
        number === 0 ? { steps: [...reply(['One', 'Two']).steps.slice(0, 2), { until: 'aborted' }] } : hi(),
    });
    let conversationId = '';
    for await (const event of house.chat.stream(aCall())) {
      if (event.type === 'meta') conversationId = event.conversationId;
      if (event.type === 'content') break;
    }
    const { answer } = await house.chat.reply(aCall('Go on', { conversationId }));
    expect(answer.content).toBe('Hi');
    const { messages } = await house.conversations.get(owner, conversationId);
    expect(messages.map(({ content }) => content)).toEqual(['Hello', 'One', 'Go on', 'Hi']);
  });

  test('whose holder died are free again when its lease ends', async () => {
    const house = await openHouse({ answer: hi });
    const { answer } = await house.chat.reply(aCall());
    const conversationId = answer.conversationId ?? '';
    const lock = { token: 'dead', leaseEndsAtMs: Date.UTC(2026, 5, 15, 10, 30, 20) };
    await house.store.conversations.lock(conversationId, owner, lock, Date.UTC(2026, 5, 15, 10, 30));
    house.pass(20_000);
    expect((await collect(house.chat.stream(aCall('Again', { conversationId })))).at(-1)?.type).toBe('done');
  });
});
