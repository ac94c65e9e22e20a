import { setTimeout as sleep } from 'node:timers/promises';
import {
  chunk,
  type ReceivedRequest,
  type Step,
  startFakeUpstream,
  usageChunk,
} from '../models/fake-upstream.ts';

/** One completion that the model server gave, or began to give. */
export interface Generation {
  /** What its text begins with: `g1` and so on. */
  readonly name: string;
  /** What the prompt's last message, or a webhook's payload, says that this is for. */
  readonly marker: string;
  /** The conversation that the last message names, or the agent that the prompt does; at most one is at work for each. */
  readonly place: string;
  /** The start of the process that asked. */
  readonly incarnation: string;
  readonly startedMs: number;
  /** When the answer had gone or its reader; undefined while it goes on. */
  endedMs: number | undefined;
  /** Whether all of it was sent. */
  isComplete: boolean;
  /** That are reported at its end. */
  readonly tokens: number;
}

export interface ModelServer {
  readonly baseUrl: string;
  readonly generations: readonly Generation[];
  /** Generations that began at a place while another one there went on. */
  readonly overlaps: readonly string[];
  close(): Promise<void>;
}

const promptTokens = 20;

/** Starts a model server that answers each prompt within a second or so and keeps account of it. */
export async function startModelServer(random: () => number): Promise<ModelServer> {
  const generations: Generation[] = [];
  const atWork = new Map<string, Generation>();
  const overlaps: string[] = [];

  function begin(request: ReceivedRequest): Generation {
    const { messages } = request.body as { messages: readonly { role: string; content: string }[] };
    const system = messages[0]?.content ?? '';
    const last = messages.at(-1)?.content ?? '';
    const agent = /as the agent "([^"]+)"/.exec(system)?.[1];
    const place = agent ?? /\[conversation (\w+)\]/.exec(last)?.[1] ?? '';
    const generation: Generation = {
      name: `g${generations.length + 1}`,
      marker: (/\[for ([\w-]+)\]/.exec(system) ?? /\[for ([\w-]+)\]/.exec(last))?.[1] ?? '',
      place,
      incarnation: String(request.headers['x-process']),
      startedMs: Date.now(),
      endedMs: undefined,
      isComplete: false,
      tokens: promptTokens + 100 + Math.floor(random() * 800),
    };
    generations.push(generation);
    const other = atWork.get(place);
    if (place !== '') {
      if (other !== undefined) {
        overlaps.push(`${place}: ${generation.incarnation} began while ${other.incarnation} was at work`);
      }
      atWork.set(place, generation);
    }
    void request.left.then((isEarly) => {
      generation.endedMs = Date.now();
      generation.isComplete = !isEarly;
      if (atWork.get(place) === generation) atWork.delete(place);
    });
    return generation;
  }

  const server = await startFakeUpstream((request) => {
    const { name, marker, tokens } = begin(request);
    // A few take long enough to be at work when their process dies.
    const pauseMs = random() < 0.15 ? 600 : 20 + random() * 80;
    function* steps(): Iterable<Step> {
      yield { send: chunk({ role: 'assistant', content: '' }) };
      for (const content of [`${name} for ${marker}.`, ' And', ' more', ' of', ' it.']) {
        yield { send: chunk({ content }) };
        yield { until: sleep(pauseMs) };
      }
      yield { send: chunk({}, 'stop') };
      yield { send: usageChunk(promptTokens, tokens - promptTokens) };
      yield { send: '[DONE]' };
    }
    return { steps: [], more: steps };
  });
  return { baseUrl: server.baseUrl, generations, overlaps, close: server.close };
}
