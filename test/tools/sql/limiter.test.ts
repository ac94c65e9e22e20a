import { expect, test } from 'vitest';
import { createLimiter } from '../../../src/tools/sql/limiter.ts';

const never = new AbortController().signal;

test('runs as many at a time as it may under one name, the others in order', async () => {
  const limiter = createLimiter(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (place: string, task: string, signal = never) =>
    limiter.run(
      place,
      () => {
        begun.push(task);
        return new Promise<void>((resolve) => ends.set(task, resolve));
      },
      signal,
    );
  const leaving = new AbortController();
  const a = start('one', 'a');
  const b = start('one', 'b');
  const left = start('one', 'left', leaving.signal);
  const c = start('one', 'c');
  const d = start('two', 'd');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'd']);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  ends.get('a')?.();
  await a;
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'd', 'c']);
  for (const end of ends.values()) end();
  await Promise.all([b, c, d]);
});

test('a task that fails gives its place away', async () => {
  const limiter = createLimiter(1);
  const failing = limiter.run('one', () => Promise.reject(new Error('no')), never);
  const next = limiter.run('one', async () => 'yes', never);
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
