import { expect, test } from 'vitest';
import { createInTurn } from '../../../src/services/session/in-turn.ts';

test('tasks of one key run one after the other in order, those of another beside them', async () => {
  const inTurn = createInTurn();
  const log: string[] = [];
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const task = (name: string, wait?: Promise<void>) => async () => {
    log.push(`${name} begins`);
    await wait;
    log.push(`${name} ends`);
    return name;
  };
  const first = inTurn('a', task('a1', gates.a.promise));
  const second = inTurn('a', task('a2'));
  const beside = inTurn('b', task('b1', gates.b.promise));
  gates.b.resolve();
  expect(await beside).toBe('b1');
  expect(log).toEqual(['a1 begins', 'b1 begins', 'b1 ends']);
  gates.a.resolve();
  expect(await Promise.all([first, second])).toEqual(['a1', 'a2']);
  expect(log.slice(3)).toEqual(['a1 ends', 'a2 begins', 'a2 ends']);
});

test('a task that fails fails for its caller alone', async () => {
  const inTurn = createInTurn();
  const failed = inTurn('a', async () => Promise.reject(new Error('no')));
  const next = inTurn('a', async () => 'done');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('done');
});
