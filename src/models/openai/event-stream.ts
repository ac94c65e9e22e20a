/** Longest line of an event stream, in characters. */
const lineCharsMax = 4 * 1_048_576;

/** Cuts the text of an event stream, as it comes in, into the data of its events. */
export interface EventSplitter {
  /**
   * Returns the data of the events that `text` completes.
   *
   * @throws RangeError when a line never ends.
   */
  push(text: string): readonly string[];
  /** Returns the data of a last line that has no end. */
  end(): readonly string[];
}

/**
 * Every event is one line of data (WHATWG HTML, section 9.2.6; chat completions never use several). Comments and other
 * fields are passed over.
 */
export function createEventSplitter(): EventSplitter {
  let rest = '';
  return {
    push(chunk) {
      const text = rest === '' ? chunk : rest + chunk;
      const events: string[] = [];
      let start = 0;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        addData(events, text, start, end);
        start = end + 1;
      }
      rest = start === 0 ? text : text.slice(start);
      if (rest.length > lineCharsMax) throw new RangeError('a line of the event stream is too long');
      return events;
    },
    end() {
      const events: string[] = [];
      addData(events, rest, 0, rest.length);
      rest = '';
      return events;
    },
  };
}

function addData(events: string[], text: string, start: number, end: number): void {
  if (!text.startsWith('data:', start)) return;
  const data = text.slice(start + 5, end).trim();
  if (data !== '') events.push(data);
}
