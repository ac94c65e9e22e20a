import { describe, expect, test } from 'vitest';
import { parseUsage } from '../../src/domain/token-usage.ts';

describe('reported usage', () => {
  test.for([
    [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }, [3, 4, 7]],
    [{ prompt_tokens: 3, completion_tokens: 4 }, [3, 4, 7]],
    [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 20 }, [3, 4, 20]],
    [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 1 }, [3, 4, 7]],
    [{ prompt_tokens: 3 }, [3, 0, 3]],
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, [0, 0, 0]],
  ] as const)('%j is %j', ([report, [promptTokens, completionTokens, totalTokens]]) => {
    expect(parseUsage(report)).toEqual({ promptTokens, completionTokens, totalTokens });
  });

  test.for([
    null,
    'many',
    {},
    { prompt_tokens: -1 },
    { prompt_tokens: 1.5 },
    { prompt_tokens: '3' },
    { prompt_tokens: 1e300 },
    { prompt_tokens: 1, completion_tokens: Number.NaN },
  ])('%j is none', (report) => {
    expect(parseUsage(report)).toBeUndefined();
  });
});
