import type { TokenUsage } from './chat.ts';

export const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}

export function countedUsage(promptTokens: number, completionTokens: number): TokenUsage {
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

const largestReport = 1_000_000_000;

/**
 * Returns what a model server reported (`prompt_tokens`, `completion_tokens`, `total_tokens` of chat completions), or
 * undefined when it is no report: absent, negative, fractional or absurd numbers. A true zero is a report. A total that
 * is missing or below its parts is their sum.
 */
export function parseUsage(report: unknown): TokenUsage | undefined {
  if (typeof report !== 'object' || report === null) return undefined;
  const fields = report as Readonly<Record<string, unknown>>;
  const promptTokens = fields.prompt_tokens;
  const completionTokens = fields.completion_tokens ?? 0;
  const totalTokens = fields.total_tokens;
  if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined;
  const sum = promptTokens + completionTokens;
  return {
    promptTokens,
    completionTokens,
    totalTokens: isCount(totalTokens) && totalTokens > sum ? totalTokens : sum,
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= largestReport;
}
