import { expect, test } from 'vitest';
import { createUpstreamBody } from '../../../src/models/openai/upstream-body.ts';

function openBody() {
  const state = { paused: false };
  const { body, push, end, fail } = createUpstreamBody({
    aborted: false,
    reason: null,
    rawHeaders: null,
    get paused() {
      return state.paused;
    },
    abort: () => undefined,
    pause: () => {
      state.paused = true;
    },
    resume: () => {
      state.paused = false;
    },
  });
  return { body, state, end, fail, push: (text: string) => push(Buffer.from(text)) };
}

const enough = { chars: 1_000, lastWords: '[DONE]' };

test('what a reader waits for is gathered until it is enough', async () => {
  const { body, push } = openBody();
  const reading = body.read(enough);
  push('a'.repeat(999));
  push('b');
  expect(await reading).toBe(`${'a'.repeat(999)}b`);
});

test.for<[string, readonly string[]]>([
  ['whole', ['data: [DONE]']],
  ['in pieces', ['data: [D', 'ON', 'E]']],
])(
  'last words that come %s end the wait, and what ends their line is not waited for either',
  async ([, pieces]) => {
    const { body, push } = openBody();
    const reading = body.read(enough);
    for (const piece of pieces) push(piece);
    expect(await reading).toBe('data: [DONE]');
    push('\n\n');
    expect(await Promise.race([body.read(enough), new Promise(setImmediate)])).toBe('\n\n');
  },
);

test('last words that begin in what was read before end the wait', async () => {
  const { body, push } = openBody();
  push(`${'a'.repeat(1_000)}[DO`);
  expect(await body.read(enough)).toHaveLength(1_003);
  push('NE]');
  expect(await Promise.race([body.read(enough), new Promise(setImmediate)])).toBe('NE]');
});

test('too little is read all the same before the failure that broke the connection', async () => {
  const { body, push, fail } = openBody();
  const reading = body.read(enough);
  push('Hi');
  fail(new Error('broken'));
  expect(await reading).toBe('Hi');
  await expect(body.read(enough)).rejects.toThrow('broken');
});

test('too little is read all the same before the end', async () => {
  const { body, push, end } = openBody();
  const reading = body.read(enough);
  push('Hi');
  end();
  expect(await reading).toBe('Hi');
  expect(await body.read(enough)).toBeUndefined();
});

test('a server that is ahead of the reader is held back', async () => {
  const { body, push, state } = openBody();
  push('a'.repeat(65_537));
  expect(state.paused).toBe(true);
  expect(await body.read()).toHaveLength(65_537);
  expect(state.paused).toBe(false);
});
