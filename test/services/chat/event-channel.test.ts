import { describe, expect, test } from 'vitest';
import { createEventChannel } from '../../../src/services/chat/event-channel.ts';

async function collect<T>(channel: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of channel) all.push(event);
  return all;
}

describe('an event channel', () => {
  test('hands over everything in order, and ends', async () => {
    const channel = createEventChannel<number>(10);
    const reading = collect(channel);
    for (const event of [1, 2, 3]) channel.push(event);
    await Promise.resolve();
    channel.push(4);
    channel.end();
    expect(await reading).toEqual([1, 2, 3, 4]);
  });

  test('throws its error after what was pushed before', async () => {
    const channel = createEventChannel<number>(10);
    channel.push(1);
    channel.end(new Error('broken'));
    const events = channel[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({ done: false, value: 1 });
    await expect(events.next()).rejects.toThrow('broken');
  });

  test('holds its writer back when it is full, until the reader has caught up', async () => {
    const channel = createEventChannel<number>(2);
    expect(channel.push(1)).toBeUndefined();
    const full = channel.push(2);
    let isFree = false;
    void full?.then(() => {
      isFree = true;
    });
    await new Promise(setImmediate);
    expect(isFree).toBe(false);
    const events = channel[Symbol.asyncIterator]();
    await events.next();
    await full;
    expect(channel.push(3)).toBeUndefined();
  });

  test('frees a waiting writer when the reader leaves, and drops what comes then', async () => {
    const channel = createEventChannel<number>(1);
    const full = channel.push(1);
    channel.leave();
    await full;
    expect(channel.push(2)).toBeUndefined();
    channel.end();
    expect(await collect(channel)).toEqual([]);
  });
});
