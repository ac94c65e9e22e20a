import { setImmediate } from 'node:timers/promises';

/** Characters of JSON between two turns of the event loop: under a millisecond of work. */
const chunkChars = 65_536;
const sliceCells = 4_000;

/**
 * Encodes a JSON value as UTF-8 JSON in chunks, each in memory of its own that can be transferred to another thread.
 * The event loop gets its turn after every chunk, where a structured clone of 50,000 rows would hold it for 10 ms and
 * more. The value must not change meanwhile.
 */
export async function encodeSpec(value: unknown): Promise<Uint8Array<ArrayBuffer>[]> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let pending = '';
  for (const piece of piecesOf(value)) {
    pending += piece;
    if (pending.length >= chunkChars) {
      chunks.push(encoder.encode(pending));
      pending = '';
      await setImmediate();
    }
  }
  chunks.push(encoder.encode(pending));
  return chunks;
}

/** Returns the value that `encodeSpec` encoded. */
export function decodeSpec(chunks: readonly Uint8Array[]): unknown {
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** The JSON text of a value, in pieces that are each cheap to make: objects by field, lists of rows by slices. */
function* piecesOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* arrayPieces(value);
  else if (isRecord(value)) yield* recordPieces(value);
  else yield JSON.stringify(value);
}

function* recordPieces(record: Readonly<Record<string, unknown>>): Generator<string> {
  let separator = '{';
  for (const [key, value] of Object.entries(record)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    yield* piecesOf(value);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* arrayPieces(array: readonly unknown[]): Generator<string> {
  const [first] = array;
  const sliceItems = Math.max(1, Math.floor(sliceCells / (Array.isArray(first) ? first.length || 1 : 1)));
  yield '[';
  if (isRecord(first)) {
    for (const [index, item] of array.entries()) {
      if (index > 0) yield ',';
      yield* piecesOf(item);
    }
  } else {
    for (let start = 0; start < array.length; start += sliceItems) {
      const slice = JSON.stringify(array.slice(start, start + sliceItems)).slice(1, -1);
      yield start === 0 ? slice : `,${slice}`;
    }
  }
  yield ']';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
