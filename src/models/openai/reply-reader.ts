import { type CompletionDelta, ModelFailure } from '../../ports/model.ts';
import { parseChunk } from './completion-chunk.ts';
import { createEventSplitter } from './event-stream.ts';

/** Reads one streamed reply. */
export interface ReplyReader {
  /** Whether the server has said that nothing more comes. */
  readonly isDone: boolean;
  /** Whether the model has finished; what may still come can be done without. */
  readonly hasFinished: boolean;
  /** Set when what came is not of the form; the events before it count. */
  readonly failure: unknown;
  /** Returns the texts and tool calls that `text` completes. */
  push(text: string): readonly CompletionDelta[];
  /**
   * Returns usage and finish.
   *
   * @throws ModelFailure when the stream ended before the reply did.
   */
  end(): readonly CompletionDelta[];
  /** Returns the usage, if any was reported so far. */
  reported(): readonly CompletionDelta[];
}

function addJoined(given: CompletionDelta[], delta: CompletionDelta): void {
  const last = given.at(-1);
  if (delta.type !== 'text' || last?.type !== 'text') given.push(delta);
  else given[given.length - 1] = { type: 'text', text: last.text + delta.text };
}

/** @param isFollowed Whether each piece of text is given by itself; else those that come together are one. */
export function createReplyReader(isFollowed: boolean): ReplyReader {
  const splitter = createEventSplitter();
  let isDone = false;
  let failure: unknown;
  // A usage report may come with every chunk; the last one counts.
  let usage: CompletionDelta | undefined;
  let finish: CompletionDelta | undefined;

  function read(events: readonly string[], given: CompletionDelta[]): void {
    for (const data of events) {
      if (data === '[DONE]') {
        isDone = true;
        finish ??= { type: 'finish', reason: 'stop' };
        return;
      }
      for (const delta of parseChunk(data)) {
        if (delta.type === 'usage') usage = delta;
        else if (delta.type === 'finish') finish ??= delta;
        else if (isFollowed) given.push(delta);
        else addJoined(given, delta);
      }
    }
  }

  const reported = () => (usage === undefined ? [] : [usage]);

  return {
    get isDone() {
      return isDone;
    },
    get hasFinished() {
      return finish !== undefined;
    },
    get failure() {
      return failure;
    },
    push(text) {
      const given: CompletionDelta[] = [];
      try {
        read(splitter.push(text), given);
      } catch (error) {
        failure = error;
      }
      return given;
    },
    end() {
      const last: CompletionDelta[] = [];
      if (!isDone) read(splitter.end(), last);
      if (finish === undefined) throw new ModelFailure('broken', 'the stream ended before the reply did');
      return [...last, ...reported(), finish];
    },
    reported,
  };
}
