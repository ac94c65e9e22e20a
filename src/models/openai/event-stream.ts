/** Longest line of an event stream, in characters. */
const lineCharsMax = 4 * 1_048_576;

/**
 * Returns the data of each event as its line comes in (WHATWG HTML, section 9.2.6; chat completions put every event on
 * one line, so that lines of one event are not joined). Comments and other fields are passed over.
 *
 * @param chunks Text that may be cut anywhere.
 * @throws RangeError when a line never ends.
 */
export async function* readEventData(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest === '' ? chunk : rest + chunk;
    let start = 0;
    for (;;) {
      const end = text.indexOf('\n', start);
      if (end < 0) break;
      const data = dataOf(text, start, end);
      start = end + 1;
      if (data !== undefined) yield data;
    }
    rest = start === 0 ? text : text.slice(start);
    if (rest.length > lineCharsMax) throw new RangeError('a line of the event stream is too long');
  }
  const data = dataOf(rest, 0, rest.length);
  if (data !== undefined) yield data;
}

function dataOf(text: string, start: number, end: number): string | undefined {
  if (!text.startsWith('data:', start)) return undefined;
  const data = text.slice(start + 5, end).trim();
  return data === '' ? undefined : data;
}
