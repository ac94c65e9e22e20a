import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { reply } from '../../models/fake-upstream.ts';
import { aCall, aPrincipal, balance, nowMs, openHouse, outcomes, owner, tokenizer } from './harness.ts';

/** What `aCall()` reserves: its prompt and a cap of 100. */
async function reservedTokens(): Promise<number> {
  const { chat, store, server } = await openHouse({ answer: () => ({ steps: [{ until: 'aborted' }] }) });
  chat.reply(aCall()).catch(() => {});
  await server.received(0);
  const { inFlight } = await balance(store);
  await chat.close(0);
  return inFlight;
}

describe('a budget', () => {
  test('is held by prompt and completion cap while a call runs', async () => {
    const prompt = await tokenizer.count('Hello');
    expect(await reservedTokens()).toBeGreaterThan(prompt + 100);
    expect(await reservedTokens()).toBeLessThan(300);
  });

  test.for(['key', 'pool'] as const)(
    'of the %s for 10 lets 10 of 50 calls through at once',
    async (which) => {
      const each = await reservedTokens();
      const house = await openHouse({
        answer: async () => {
          await allAsked;
          return reply(['Hi'], { usage: [each - 100, 100] });
        },
      });
      let asked = 0;
      let open = () => {};
      const allAsked = new Promise<void>((resolve) => {
        open = resolve;
      });
      const limit = each * 10 + each - 1;
      const principal =
        which === 'key'
          ? aPrincipal({ key: { tokenBudget: limit } })
          : aPrincipal({ key: { tokenBudget: null }, organization: { tokenPool: limit } });
      const second = await house.second();
      const calls = Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? house : second).chat.reply(aCall('Hello', {}, principal)).finally(() => {
          asked += 1;
          // The 40 refusals are in: now the model may answer the others.
          if (asked === 40) open();
        }),
      );
      const { values, slugs } = await outcomes(calls);
      expect(values).toHaveLength(10);
      expect(slugs.filter((slug) => slug === 'budget_exhausted')).toHaveLength(40);
      expect(house.server.requests).toHaveLength(10);
      expect(await balance(house.store)).toEqual({ used: each * 10, inFlight: 0 });
    },
  );

  test('that refuses says what is used, in flight, and the limit, and keeps nothing', async () => {
    const each = await reservedTokens();
    const { chat, server, conversations } = await openHouse({
      answer: (_, number) =>
        number === 0 ? reply(['Hi'], { usage: [20, 30] }) : { steps: [{ until: 'aborted' }] },
    });
    const principal = aPrincipal({ key: { tokenBudget: 50 + each } });
    await chat.reply(aCall('Hello', {}, principal));
    chat.reply(aCall('Hello', {}, principal)).catch(() => {});
    await server.received(1);
    await expect(chat.reply(aCall('Hello', {}, principal))).rejects.toMatchObject({
      slug: 'budget_exhausted',
      extra: { used: 50, in_flight: each, limit: 50 + each },
      retryAfterSeconds: undefined,
    });
    expect((await conversations.list(owner, {})).data).toHaveLength(1);
  });

  test('that refuses a stream leaves no conversation', async () => {
    const created: string[] = [];
    const { chat, store } = await openHouse({
      answer: () => reply(['Hi']),
      wrapStore: (inner: Store) => ({
        ...inner,
        conversations: {
          ...inner.conversations,
          create(conversation, lock) {
            created.push(conversation.id);
            return inner.conversations.create(conversation, lock);
          },
        },
      }),
    });
    const principal = aPrincipal({ key: { tokenBudget: 10 } });
    await expect(chat.stream(aCall('Hello', {}, principal)).next()).rejects.toMatchObject({
      slug: 'budget_exhausted',
    });
    expect(created).toHaveLength(1);
    expect(await store.conversations.get(created[0] ?? '', owner)).toBeUndefined();
  });

  test('belongs to the cycle in which a call began', async () => {
    const house = await openHouse({
      answer: () => {
        house.pass(30 * 86_400_000);
        return reply(['Hi']);
      },
    });
    await house.chat.reply(aCall());
    expect(await balance(house.store)).toEqual({ used: 15, inFlight: 0 });
  });

  test('is given back by a call that failed', async () => {
    const { chat, store } = await openHouse({ answer: () => ({ status: 400, steps: [] }) });
    await expect(chat.reply(aCall())).rejects.toMatchObject({ slug: 'internal_error' });
    expect(await balance(store)).toEqual({ used: 0, inFlight: 0 });
  });

  test('that cannot be read refuses the call before anything is asked', async () => {
    const { chat, server } = await openHouse({
      answer: () => reply(['Hi']),
      wrapStore: (store: Store) => ({
        ...store,
        ledger: { ...store.ledger, reserve: () => Promise.reject(new Error('disk on fire')) },
      }),
    });
    const failure = await chat.reply(aCall()).catch((error) => error);
    expect(failure).toMatchObject({ slug: 'budget_check_failed', detail: undefined });
    expect(server.requests).toHaveLength(0);
  });

  test('of a turn that cannot be recorded refuses the call, and holds nothing', async () => {
    const { chat, server, store } = await openHouse({
      answer: () => reply(['Hi']),
      wrapStore: (inner: Store) => ({
        ...inner,
        turns: { ...inner.turns, begin: () => Promise.reject(new Error('disk on fire')) },
      }),
    });
    await expect(chat.reply(aCall())).rejects.toMatchObject({ slug: 'budget_check_failed' });
    expect(server.requests).toHaveLength(0);
    expect(await balance(store)).toEqual({ used: 0, inFlight: 0 });
  });
});

describe('a usage limit', () => {
  const hourly = { unit: 'requests', limit: 3, window: 'hour' } as const;

  test.for([
    ['actor', { actor: { usageLimit: hourly } }],
    ['organization', { organization: { usagePool: hourly } }],
  ] as const)('of requests of the %s lets so many through, of 20 at once', async ([, fields]) => {
    const { chat, server } = await openHouse({ answer: () => reply(['Hi']) });
    const principal = aPrincipal(fields);
    const { values, slugs } = await outcomes(
      Array.from({ length: 20 }, () => chat.query(aCall('Hello', {}, principal))),
    );
    expect(values).toHaveLength(3);
    expect(slugs).toEqual(Array(17).fill('usage_limit_exceeded'));
    expect(server.requests).toHaveLength(3);
  });

  test('that refuses names unit, used and limit, and the seconds to the end of its window', async () => {
    const { chat, pass } = await openHouse({ answer: () => reply(['Hi']) });
    const principal = aPrincipal({ actor: { usageLimit: hourly } });
    for (let call = 0; call < 3; call += 1) await chat.reply(aCall('Hello', {}, principal));
    pass(500);
    await expect(chat.reply(aCall('Hello', {}, principal))).rejects.toMatchObject({
      slug: 'usage_limit_exceeded',
      extra: { unit: 'requests', used: 3, limit: 3 },
      retryAfterSeconds: 30 * 60,
    });
    pass(30 * 60_000);
    await chat.reply(aCall('Hello', {}, principal));
  });

  test('of tokens is reached by what was used', async () => {
    const { chat } = await openHouse({ answer: () => reply(['Hi'], { usage: [40, 20] }) });
    const principal = aPrincipal({ actor: { usageLimit: { unit: 'tokens', limit: 100, window: 'day' } } });
    await chat.reply(aCall('Hello', {}, principal));
    await chat.reply(aCall('Hello', {}, principal));
    await expect(chat.reply(aCall('Hello', {}, principal))).rejects.toMatchObject({
      slug: 'usage_limit_exceeded',
      extra: { unit: 'tokens', used: 120, limit: 100 },
      retryAfterSeconds: 13.5 * 3_600,
    });
  });

  test('does not count calls that the budget refused, nor repeats', async () => {
    const { chat, store } = await openHouse({ answer: () => reply(['Hi']) });
    const actor = { usageLimit: hourly };
    const poor = aPrincipal({ actor, key: { tokenBudget: 10 } });
    await expect(chat.reply(aCall('Hello', {}, poor))).rejects.toMatchObject({ slug: 'budget_exhausted' });
    const call = { ...aCall('Hello', {}, aPrincipal({ actor })), idempotencyKey: 'once' };
    await chat.reply(call);
    await chat.reply(call);
    const startMs = nowMs - 30 * 60_000;
    const account = { subject: 'actor:user-1', unit: 'requests', window: 'hour', startMs } as const;
    expect(await store.usageWindows.read(account)).toBe(1);
  });

  test('of actor and organization hold on the same call: a refusal by one takes nothing from the other', async () => {
    const { chat, store } = await openHouse({ answer: () => reply(['Hi']) });
    const principal = aPrincipal({
      actor: { usageLimit: { unit: 'requests', limit: 0, window: 'hour' } },
      organization: { usagePool: hourly },
    });
    await expect(chat.reply(aCall('Hello', {}, principal))).rejects.toMatchObject({
      slug: 'usage_limit_exceeded',
    });
    expect(await balance(store)).toEqual({ used: 0, inFlight: 0 });
    const other = aPrincipal({ actor: { id: 'user-2' }, organization: { usagePool: hourly } });
    const { values } = await outcomes(Array.from({ length: 3 }, () => chat.query(aCall('Hello', {}, other))));
    expect(values).toHaveLength(3);
  });

  test('that cannot be read refuses the call', async () => {
    const { chat } = await openHouse({
      answer: () => reply(['Hi']),
      wrapStore: (store: Store) => ({
        ...store,
        usageWindows: { ...store.usageWindows, reserve: () => Promise.reject(new Error('disk on fire')) },
      }),
    });
    await expect(
      chat.reply(aCall('Hello', {}, aPrincipal({ actor: { usageLimit: hourly } }))),
    ).rejects.toMatchObject({ slug: 'budget_check_failed' });
  });
});
