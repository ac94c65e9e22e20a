import type { Chat, ChatEvent } from '../../services/chat/chat.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Counts a failure when it is a refusal for a limit. */
export type CountRefusal = (slug: string) => void;

const refusalSlugs: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'ip_rate_limit_exceeded',
  'usage_limit_exceeded',
  'budget_exhausted',
]);

export function countRefusals(metrics: Metrics): CountRefusal {
  return (slug) => {
    if (refusalSlugs.has(slug)) metrics.counter('service_refusals_total', [slug]).value += 1;
  };
}

/** Counts what no call ends with: turns that are refused in their stream, and turns of runs. */
export function countRefusedTurns(chat: Chat, count: CountRefusal): Chat {
  function seen(result: IteratorResult<ChatEvent>): IteratorResult<ChatEvent> {
    if (result.done !== true && result.value.type === 'error') count(result.value.code);
    return result;
  }

  return {
    ...chat,
    stream(call) {
      const events = chat.stream(call);
      // A generator around this one would cost every event of every reply several times as much.
      const next = events.next.bind(events);
      events.next = () => next().then(seen);
      return events;
    },
    async run(...args) {
      try {
        return await chat.run(...args);
      } catch (error) {
        if (error instanceof Error && 'slug' in error) count(String(error.slug));
        throw error;
      }
    },
  };
}
