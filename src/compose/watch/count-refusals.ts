import type { Chat } from '../../services/chat/chat.ts';
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
  return {
    ...chat,
    async *stream(call) {
      for await (const event of chat.stream(call)) {
        if (event.type === 'error') count(event.code);
        yield event;
      }
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
