import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Counted, fitPrompt, splitTurns } from '../../src/domain/prompt.ts';

const part = (message: string, tokens: number): Counted<string> => ({ message, tokens });

describe('a prompt', () => {
  const system = [part('system', 10)];
  const current = [part('now', 10)];
  const history = [[part('a', 5), part('b', 5)], [part('c', 20)], [part('d', 5)]];

  test.for([
    [22, undefined],
    [23, ['system', 'now']],
    [27, ['system', 'now']],
    [28, ['system', 'd', 'now']],
    [47, ['system', 'd', 'now']],
    [48, ['system', 'c', 'd', 'now']],
    [57, ['system', 'c', 'd', 'now']],
    [58, ['system', 'a', 'b', 'c', 'd', 'now']],
  ] as const)('of %i tokens holds %j: the last turns, whole and without a gap', ([tokensMax, expected]) => {
    expect(fitPrompt({ system, history, current }, tokensMax)?.messages).toEqual(expected);
  });

  test('never has more tokens than it may', () => {
    const turn = fc.array(
      fc.nat(50).map((tokens) => part('x', tokens)),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 20 }), fc.nat(1_000), (turns, tokensMax) => {
        const prompt = fitPrompt({ system, history: turns, current }, tokensMax);
        if (prompt === undefined) expect(tokensMax).toBeLessThan(23);
        else expect(prompt.tokens).toBeLessThanOrEqual(tokensMax);
      }),
    );
  });
});

describe('turns', () => {
  test.for([
    ['', []],
    ['u', ['u']],
    ['uaua', ['ua', 'ua']],
    ['uu', ['u', 'u']],
    ['aua', ['aua']],
    ['uaaua', ['uaa', 'ua']],
  ] as const)('of %j are %j', ([roles, expected]) => {
    const messages = [...roles].map((role) => ({ role: role === 'u' ? 'user' : 'assistant' }));
    const turns = splitTurns(messages).map((turn) => turn.map(({ role }) => role[0]).join(''));
    expect(turns).toEqual(expected);
  });
});
