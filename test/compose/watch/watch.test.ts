import { describe, expect, test } from 'vitest';
import { countRefusals, countRefusedTurns } from '../../../src/compose/watch/count-refusals.ts';
import { watchCalls } from '../../../src/compose/watch/watch-calls.ts';
import { watchStore } from '../../../src/compose/watch/watch-failures.ts';
import { watchModels } from '../../../src/compose/watch/watch-models.ts';
import { watchTools } from '../../../src/compose/watch/watch-tools.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { CallRoute } from '../../../src/http/call-watch.ts';
import { type ChatModel, type CompletionDelta, ModelFailure } from '../../../src/ports/model.ts';
import { type Store, StoreConflict } from '../../../src/ports/store.ts';
import { type Tool, ToolFailure } from '../../../src/ports/tool.ts';
import type { Chat } from '../../../src/services/chat/chat.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createRecordingTracer } from './recording-tracer.ts';

const route: CallRoute = { rpc: 'a.B/C', template: '/v1/b/{id}', protocol: 'rest', isStream: true };
const ended = { requestId: 'r', clientAddress: '::1', method: 'GET', path: '/v1/b/7', durationMs: 40 };

describe('a watched call', () => {
  test('is in flight and open while it lasts, and counted with its outcome', async () => {
    const metrics = createMetrics();
    const watch = watchCalls(metrics, null, () => {})('r', undefined);
    watch.routed(route);
    expect(await metrics.text()).toContain('service_calls_in_flight 1\n');
    expect(await metrics.text()).toContain('service_streams_open 1\n');
    watch.ended({ ...ended, route, status: 503, outcome: 'internal_error', failure: new Error('private') });
    const text = await metrics.text();
    expect(text).toContain('service_calls_in_flight 0\n');
    expect(text).toContain('service_streams_open 0\n');
    expect(text).toContain(
      'service_calls_total{method="a.B/C",protocol="rest",outcome="internal_error"} 1\n',
    );
    expect(text).toContain('service_call_duration_seconds_sum{method="a.B/C",protocol="rest"} 0.04\n');
  });

  test('is one span, named by its template, failed when the service is to blame', () => {
    const { tracer, spans } = createRecordingTracer();
    const begin = watchCalls(createMetrics(), tracer, () => {});
    for (const [status, outcome] of [
      [404, 'not_found'],
      [500, 'internal_error'],
    ] as const) {
      const watch = begin('r', '00-parent');
      watch.routed(route);
      watch.ended({ ...ended, route, status, outcome, failure: undefined });
    }
    expect(spans.map(({ name, failure, isEnded }) => [name, failure, isEnded])).toEqual([
      ['GET /v1/b/{id}', undefined, true],
      ['GET /v1/b/{id}', 'internal_error', true],
    ]);
    expect(spans[0]?.options).toMatchObject({ kind: 'server', traceParent: '00-parent' });
    expect(JSON.stringify(spans)).not.toContain('/v1/b/7');
  });
});

describe('a watched tool', () => {
  const base: Tool = {
    name: 'look_up',
    description: 'Looks up.',
    parameters: {},
    writes: ({ change }) => change === true,
    run: async ({ fail }) => {
      if (fail === true) throw new ToolFailure('private');
      return 'private result';
    },
  };

  test('works as before, and is counted and traced without what it was asked or said', async () => {
    const metrics = createMetrics();
    const { tracer, spans } = createRecordingTracer();
    const [provider] = watchTools([{ toolsFor: async () => [base] }], metrics, tracer);
    const [tool] = (await provider?.toolsFor({} as never)) ?? [];
    expect(tool).toMatchObject({ name: 'look_up', description: 'Looks up.', parameters: {} });
    expect(tool?.writes?.({ change: true })).toBe(true);
    expect(await tool?.run({ question: 'private' }, {} as never)).toBe('private result');
    await expect(tool?.run({ fail: true }, {} as never)).rejects.toThrow(ToolFailure);
    const text = await metrics.text();
    expect(text).toContain('service_tool_calls_total{tool="look_up",outcome="ok"} 1\n');
    expect(text).toContain('service_tool_calls_total{tool="look_up",outcome="failed"} 1\n');
    expect(spans.map(({ name, failure }) => [name, failure])).toEqual([
      ['execute_tool look_up', undefined],
      ['execute_tool look_up', 'ToolFailure'],
    ]);
    expect(JSON.stringify(spans)).not.toContain('private');
  });
});

describe('a watched model', () => {
  function open(reply: () => AsyncIterable<CompletionDelta>) {
    const metrics = createMetrics();
    const { tracer, spans } = createRecordingTracer();
    const find = (id: string): ChatModel => ({
      id,
      contextTokens: 1,
      completionTokens: 1,
      supportsTools: true,
      complete: reply,
    });
    const catalog = { list: async () => [], find, close: async () => {} };
    return { metrics, spans, ...watchModels(catalog, metrics, tracer) };
  }

  async function drain(model: ChatModel | undefined, signal = new AbortController().signal): Promise<void> {
    for await (const _ of model?.complete({ signal } as never) ?? []);
  }

  test('is counted by how its server did', async () => {
    const replies: (() => AsyncIterable<CompletionDelta>)[] = [
      async function* () {
        yield { type: 'text', text: 'private' };
        yield { type: 'finish', reason: 'stop' };
      },
      // biome-ignore lint/correctness/useYield: a server that refuses gives nothing
      async function* () {
        throw new ModelFailure('unavailable', 'private');
      },
    ];
    const { models, metrics, spans } = open(() => replies.shift()?.() ?? (async function* () {})());
    await drain(models.find('m'));
    await expect(drain(models.find('m'))).rejects.toThrow(ModelFailure);
    await drain(models.find('m'));
    const text = await metrics.text();
    for (const outcome of ['ok', 'unavailable', 'broken']) {
      expect(text).toContain(`service_model_calls_total{model="m",outcome="${outcome}"} 1\n`);
    }
    expect(spans.map(({ failure }) => failure)).toEqual([undefined, 'unavailable', 'broken']);
    expect(JSON.stringify(spans)).not.toContain('private');
  });

  test.for([
    ['aborted', []],
    ['ok', [{ type: 'finish', reason: 'stop' }]],
  ] as const)('is %s, and its server let go, when its reader leaves after %j', async ([outcome, first]) => {
    let isLetGo = false;
    const { models, metrics, spans } = open(async function* () {
      try {
        yield* first;
        yield { type: 'text', text: 'one' };
        yield { type: 'text', text: 'two' };
      } finally {
        isLetGo = true;
      }
    });
    const signal = new AbortController().signal;
    for await (const delta of models.find('m')?.complete({ signal } as never) ?? []) {
      if (delta.type === 'text') break;
    }
    expect(isLetGo).toBe(true);
    expect(spans.map(({ isEnded }) => isEnded)).toEqual([true]);
    const calls = (await metrics.text())
      .split('\n')
      .filter((line) => /^service_model_calls_total/.test(line));
    expect(calls).toEqual([`service_model_calls_total{model="m",outcome="${outcome}"} 1`]);
  });

  test('that callers made up has figures of its own only among the first hundred', async () => {
    const { models, metrics } = open(async function* () {
      yield { type: 'finish', reason: 'stop' };
    });
    for (let index = 0; index < 150; index += 1) await drain(models.find(`model-${index}`));
    const text = await metrics.text();
    expect(text).toContain('service_model_calls_total{model="model-99",outcome="ok"} 1\n');
    expect(text).not.toContain('model-100');
    expect(text).toContain('service_model_calls_total{model="other",outcome="ok"} 50\n');
  });
});

describe('refusals', () => {
  test('are counted by their slug, of turns that no call ends with too, and other failures are not', async () => {
    const metrics = createMetrics();
    const count = countRefusals(metrics);
    const failures = ['budget_exhausted', 'internal_error'] as const;
    const chat = countRefusedTurns(
      {
        async *stream() {
          for (const code of failures) yield { type: 'error', error: '', code };
        },
        run: async () => {
          throw new ServiceError('usage_limit_exceeded');
        },
      } as unknown as Chat,
      count,
    );
    for await (const event of chat.stream({} as never)) expect(event.type).toBe('error');
    await expect(chat.run({} as never, () => undefined, {} as never)).rejects.toThrow(ServiceError);
    count('not_found');
    const lines = (await metrics.text()).split('\n').filter((line) => /^service_refusals_total/.test(line));
    expect(lines).toEqual([
      'service_refusals_total{slug="budget_exhausted"} 1',
      'service_refusals_total{slug="usage_limit_exceeded"} 1',
    ]);
  });
});

describe('a watched store', () => {
  test('counts what it could not do, not what was asked wrongly, and hands all of it on', async () => {
    const metrics = createMetrics();
    const answers = [
      Promise.reject(new Error('away')),
      Promise.reject(new StoreConflict('id')),
      Promise.resolve(),
    ];
    const users = { create: () => answers.shift() };
    const store = watchStore({ users, ping: async () => {} } as unknown as Store, metrics);
    await expect(store.users.create({} as never)).rejects.toThrow('away');
    await expect(store.users.create({} as never)).rejects.toThrow(StoreConflict);
    await store.users.create({} as never);
    expect(await metrics.text()).toContain('service_store_failures_total{part="users"} 1\n');
  });
});
