import { beforeAll, describe, expect, test } from 'vitest';
import { createDemoModel } from '../../../src/models/demo/demo-model.ts';
import { loadTokenizer } from '../../../src/models/tokenizer.ts';
import type { ChatModel, CompletionDelta, CompletionRequest } from '../../../src/ports/model.ts';

let model: ChatModel;
beforeAll(async () => {
  model = createDemoModel(await loadTokenizer());
});

const runSql = { name: 'run_sql', description: 'Runs SQL', parameters: { type: 'object' } };

async function ask(content: string, options: Partial<CompletionRequest> = {}): Promise<CompletionDelta[]> {
  const request: CompletionRequest = {
    messages: [{ role: 'user', content }],
    tools: [],
    toolChoice: 'auto',
    isFollowed: true,
    completionTokens: 1_000,
    signal: new AbortController().signal,
    ...options,
  };
  const deltas: CompletionDelta[] = [];
  for await (const delta of model.complete(request)) deltas.push(delta);
  return deltas;
}

function textOf(deltas: readonly CompletionDelta[]): string {
  return deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
}

describe('the demonstration model', () => {
  test('says what it is, in several chunks, with usage and one finish', async () => {
    const deltas = await ask('How are you?');
    expect(textOf(deltas)).toMatch(/demonstration model.*How are you\?/s);
    expect(deltas.filter(({ type }) => type === 'text').length).toBeGreaterThan(3);
    expect(deltas.slice(-2)).toMatchObject([
      { type: 'usage', usage: { promptTokens: 4, completionTokens: expect.any(Number) } },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  test('gives the same reply to the same message', async () => {
    expect(await ask('Same?')).toEqual(await ask('Same?'));
  });

  test('calls the offered tools that the message asks for', async () => {
    const deltas = await ask(
      'Please:\n/tool run_sql {"sql": "select 1"}\n/tool run_sql {"sql": "select 2"}',
      {
        tools: [runSql],
      },
    );
    expect(deltas).toMatchObject([
      { type: 'tool_call', index: 0, name: 'run_sql' },
      { type: 'tool_call', index: 0, arguments: '{"sql": "select 1"}' },
      { type: 'tool_call', index: 1, name: 'run_sql' },
      { type: 'tool_call', index: 1, arguments: '{"sql": "select 2"}' },
      { type: 'usage' },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  test('calls no tool that is not offered, nor when it must answer', async () => {
    expect(textOf(await ask('/tool run_sql {}'))).toContain('not offered');
    const deltas = await ask('/tool run_sql {}', { tools: [runSql], toolChoice: 'none' });
    expect(deltas.some(({ type }) => type === 'tool_call')).toBe(false);
  });

  test('shows what the tools returned', async () => {
    const deltas = await ask('', {
      tools: [runSql],
      messages: [
        { role: 'user', content: '/tool run_sql {}' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'run_sql', arguments: '{}' }] },
        { role: 'tool', toolCallId: 'a', content: 'one row' },
      ],
    });
    expect(textOf(deltas)).toContain('one row');
  });

  test('stops at the completion cap', async () => {
    const deltas = await ask('Hello', { completionTokens: 10 });
    expect(deltas.at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });
});
