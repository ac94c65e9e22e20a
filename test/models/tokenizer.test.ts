import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTokenizer } from '../../src/models/tokenizer.ts';
import type { Tokenizer } from '../../src/ports/tokenizer.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});

describe('a count', () => {
  test.for<readonly [string, number]>([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['\ud800 alone', 2],
  ])('of %j is %i', async ([text, tokens]) => {
    expect(await tokenizer.count(text)).toBe(tokens);
  });

  test('of long prose is the encoder’s own', async () => {
    const prose = 'The quick brown fox, who is 7 years old, jumps over the lazy dog.\n'.repeat(200);
    const whole = countTokens(prose);
    expect(Math.abs((await tokenizer.count(prose)) - whole)).toBeLessThan(whole * 0.01);
  });

  test('of any text never fails and never is less than the encoder’s own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 1_200 }), async (text) => {
        const count = await tokenizer.count(text);
        expect(count).toBeGreaterThanOrEqual(countTokens(text, { disallowedSpecial: new Set() }));
      }),
      { numRuns: 30 },
    );
  });

  test('stops once it is over the number asked for', async () => {
    expect(await tokenizer.count('word '.repeat(100_000), 50)).toBeLessThan(1_000);
  });

  test.for([
    ['one endless word', 'a'],
    ['spaces', ' '],
    ['Chinese', '漢字仮名'],
    ['emoji', '👩‍👩‍👧‍👦'],
    ['marks', '!?'],
  ])('of a quarter of a megabyte of %s lets the event loop run', async ([, unit = '']) => {
    let turns = 0;
    let isCounting = true;
    const turn = () => {
      turns += 1;
      if (isCounting) setImmediate(turn);
    };
    setImmediate(turn);
    await tokenizer.count(unit.repeat(262_144 / Buffer.byteLength(unit)));
    isCounting = false;
    expect(turns).toBeGreaterThan(2);
  });
});
