import type { TokenUsage } from '../../domain/chat.ts';
import type { ChatModel, CompletionDelta, CompletionRequest, ModelCatalog } from '../../ports/model.ts';
import { otherValue } from '../../telemetry/metric-cells.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { reasonOf, type Tracer } from '../../telemetry/tracer.ts';

/** Ids are the callers' to make up where a model server serves any; only so many have figures of their own. */
const modelsMax = 100;

export interface WatchedModels {
  readonly models: ModelCatalog;
  /** Counts what a completion used. */
  readonly countTokens: (model: string, usage: TokenUsage) => void;
}

/**
 * Counts, times and traces completions. The trace ends here: its id is not passed on to model servers, which are
 * somebody else's.
 */
export function watchModels(models: ModelCatalog, metrics: Metrics, tracer: Tracer | null): WatchedModels {
  const known = new Set<string>();
  const watched = new WeakMap<ChatModel, ChatModel>();

  function labelOf(id: string): string {
    if (known.size < modelsMax) known.add(id);
    return known.has(id) ? id : otherValue;
  }

  /** Hands a reply on delta by delta: a generator around it would cost each several times as much. */
  function follow(model: ChatModel, request: CompletionRequest): AsyncIterator<CompletionDelta> {
    const deltas = model.complete(request)[Symbol.asyncIterator]();
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model.id };
    const span = tracer?.begin(`chat ${model.id}`, { kind: 'client', attributes });
    const startedAt = performance.now();
    let hasFinish = false;
    let hasEnded = false;

    function end(outcome: string): void {
      if (hasEnded) return;
      hasEnded = true;
      const seconds = (performance.now() - startedAt) / 1_000;
      const label = labelOf(model.id);
      metrics.counter('service_model_calls_total', [label, outcome]).value += 1;
      metrics.histogram('service_model_call_duration_seconds', [label]).observe(seconds);
      if (outcome !== 'ok') span?.fail(outcome);
      span?.end();
    }

    function seen(result: IteratorResult<CompletionDelta>): IteratorResult<CompletionDelta> {
      if (result.done === true) {
        end(hasFinish ? 'ok' : 'broken');
      } else if (result.value.type === 'finish') {
        hasFinish = true;
      } else if (result.value.type === 'usage') {
        const { promptTokens, completionTokens } = result.value.usage;
        span?.set({
          'gen_ai.usage.input_tokens': promptTokens,
          'gen_ai.usage.output_tokens': completionTokens,
        });
      }
      return result;
    }

    function failed(error: unknown): never {
      end(request.signal.aborted ? abortOf(request.signal) : reasonOf(error));
      throw error;
    }

    return {
      next: () => deltas.next().then(seen, failed),
      async return() {
        try {
          await deltas.return?.();
        } finally {
          end(hasFinish ? 'ok' : 'aborted');
        }
        return { done: true, value: undefined };
      },
    };
  }

  return {
    models: {
      ...models,
      find(id) {
        const model = models.find(id);
        if (model === undefined) return undefined;
        const wrapped = watched.get(model) ?? {
          ...model,
          complete: (request) => ({ [Symbol.asyncIterator]: () => follow(model, request) }),
        };
        watched.set(model, wrapped);
        return wrapped;
      },
    },
    countTokens(model, { promptTokens, completionTokens }) {
      const label = labelOf(model);
      metrics.counter('service_model_tokens_total', [label, 'prompt']).value += promptTokens;
      metrics.counter('service_model_tokens_total', [label, 'completion']).value += completionTokens;
    },
  };
}

function abortOf({ reason }: AbortSignal): string {
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'timeout' : 'aborted';
}
