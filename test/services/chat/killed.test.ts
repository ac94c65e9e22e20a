import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { chunk, reply, type Script, toolReply } from '../../models/fake-upstream.ts';
import { aChildCall, childTools, nowMs } from './child-call.ts';
import { balance, collect, type House, openHouse, owner } from './harness.ts';

const child = fileURLToPath(new URL('./chat-child.ts', import.meta.url));

/** Makes the child's call in a process of its own, which dies at `point` or is killed once `until` resolves. */
async function callAndDie(house: House, kind: 'reply' | 'stream', point: string, until?: Promise<unknown>) {
  const args = [child, house.location, house.server.baseUrl, kind, point];
  const spawned = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  spawned.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
  const ended = once(spawned, 'close');
  await until;
  if (until !== undefined) spawned.kill('SIGKILL');
  const [, signal] = await ended;
  expect(signal).toBe('SIGKILL');
  return lines.map((line) => JSON.parse(line));
}

const day = {
  subject: 'actor:user-1',
  unit: 'tokens',
  window: 'day',
  startMs: Date.UTC(2026, 5, 15),
} as const;
/** When every lease has ended. */
const later = nowMs + 86_400_000;
const keyed = { ...aChildCall, idempotencyKey: 'once' };

describe('a process killed during a keyed call', () => {
  test.for<readonly [string, 'again' | 'replayed']>([
    ['turns.begin', 'again'],
    ['ledger.reserve', 'again'],
    ['usageWindows.reserve', 'again'],
    ['turns.commit', 'replayed'],
    ['ledger.settle', 'replayed'],
    ['usageWindows.settle', 'replayed'],
    ['conversations.noteTurn', 'replayed'],
    ['turns.markApplied', 'replayed'],
  ])('after %s: the repeat is %s; billed once, kept once, nothing held', async ([point, how]) => {
    const house = await openHouse({ answer: () => reply(['Hi']) });
    await callAndDie(house, 'reply', point);
    house.pass(61_000);
    const { answer, isReplay } = await house.chat.reply(keyed);
    expect(isReplay).toBe(how === 'replayed');
    expect(house.server.requests.length).toBe(1);
    // Also before the sweep, an answer names a conversation that is there.
    expect((await house.conversations.get(owner, answer.conversationId ?? '')).title).toBe('Hello');
    await house.chat.recover(0);
    house.pass(61_000);
    expect(await balance(house.store, later)).toEqual({ used: 15, inFlight: 0 });
    expect(await house.store.usageWindows.read(day)).toBe(15);
    const { data } = await house.conversations.list(owner, {});
    expect(data.map(({ id }) => id)).toEqual([answer.conversationId]);
    expect((await house.conversations.get(owner, answer.conversationId ?? '')).messages).toHaveLength(2);
  });

  test('while the model answers: in progress until the lease ends, then run again, billed once', async () => {
    const house = await openHouse({
      answer: (_, number) =>
        number === 0 ? { steps: [{ send: chunk({ content: 'Hal' }) }, { until: 'aborted' }] } : reply(['Hi']),
    });
    await callAndDie(house, 'reply', 'none', house.server.received(0));
    await expect(house.chat.reply(keyed)).rejects.toMatchObject({ slug: 'request_in_progress' });
    house.pass(59_999);
    await expect(house.chat.reply(keyed)).rejects.toMatchObject({ slug: 'request_in_progress' });
    house.pass(1);
    expect(await house.chat.reply(keyed)).toMatchObject({ isReplay: false, answer: { content: 'Hi' } });
    expect(await balance(house.store, later)).toEqual({ used: 15, inFlight: 0 });
  });

  test.for(['before', 'after'] as const)(
    'whose key is not used again is swept: %s the commit nothing is held or lost',
    async (when) => {
      const house = await openHouse({ answer: () => reply(['Hi']) });
      await callAndDie(house, 'reply', when === 'before' ? 'turns.begin' : 'turns.commit');
      house.pass(100_000);
      const recovered = await house.chat.recover();
      expect(recovered).toEqual(
        when === 'before' ? { applied: 0, freed: 1, expired: 0 } : { applied: 1, freed: 0, expired: 0 },
      );
      expect(await house.chat.recover()).toEqual({ applied: 0, freed: 0, expired: 0 });
      expect(await balance(house.store, later)).toEqual({ used: when === 'before' ? 0 : 15, inFlight: 0 });
      expect((await house.conversations.list(owner, {})).data).toHaveLength(when === 'before' ? 0 : 1);
    },
  );

  test.for<readonly [string, string]>([
    ['tool', 'Error: this call was begun'],
    ['turns.journal', 'Error: this call was begun'],
    ['ledger.settle', 'posted'],
  ])('around a writing tool (%s): it is never run twice, and the model is told', async ([point, told]) => {
    const answer = (_: unknown, number: number): Script =>
      number === 0 ? toolReply([{ name: 'post', args: '{}' }]) : reply(['Done']);
    const writes: string[] = [];
    const house = await openHouse({ answer, tools: childTools((text) => writes.push(text)) });
    await callAndDie(house, 'reply', point);
    house.pass(61_000);
    await house.chat.recover(0);
    house.pass(61_000);
    const result = await house.chat.reply(keyed);
    expect(result).toMatchObject({ isReplay: false, answer: { content: 'Done' } });
    const file = `${house.location}.writes`;
    const before = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    expect(before.length + writes.length).toBe(point === 'turns.journal' ? 0 : 1);
    expect(house.server.requests.at(-1)?.body.messages.at(-1).content).toContain(told);
    expect(house.server.requests).toHaveLength(2);
    expect(await balance(house.store, later)).toEqual({ used: 27 + 15, inFlight: 0 });
    expect(await house.store.usageWindows.read(day)).toBe(27 + 15);
  });
});

describe('a process killed during a stream', () => {
  test('leaves a conversation that can be gone on with as soon as its lease ends', async () => {
    const house = await openHouse({
      answer: (_, number) =>
        number === 0 ? { steps: [{ send: chunk({ content: 'Hal' }) }, { until: 'aborted' }] } : reply(['Hi']),
      turnWaitMs: 50,
    });
    const [meta] = await callAndDie(house, 'stream', 'none', house.server.received(0));
    const call = { ...aChildCall, input: { ...aChildCall.input, conversationId: meta.conversationId } };
    await expect(house.chat.reply(call)).rejects.toMatchObject({ slug: 'request_in_progress' });
    house.pass(20_000);
    const events = await collect(house.chat.stream(call));
    expect(events.at(-1)?.type).toBe('done');
    house.pass(100_000);
    await house.chat.recover();
    expect(await balance(house.store, later)).toEqual({ used: 15, inFlight: 0 });
  });

  test.for(['turns.commit', 'ledger.settle', 'conversations.noteTurn'])(
    'after %s keeps what was said, billed once',
    async (point) => {
      const house = await openHouse({ answer: () => reply(['Hi']) });
      const events = await callAndDie(house, 'stream', point);
      expect(events.at(-1)).toMatchObject({ type: 'content' });
      expect(await house.chat.recover(-1)).toMatchObject({ applied: 1 });
      expect(await balance(house.store, later)).toEqual({ used: 15, inFlight: 0 });
      const { messages } = await house.conversations.get(owner, events[0].conversationId);
      expect(messages.map(({ content }) => content)).toEqual(['Hello', 'Hi']);
      expect((await house.conversations.list(owner, {})).data).toHaveLength(1);
    },
  );
});
