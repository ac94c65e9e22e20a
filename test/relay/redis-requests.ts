import type { RequestReader } from './request-reader.ts';

const lineEnd = '\r\n';

/**
 * Returns a reader of what clients send to Redis: one request is one array of bulk strings, and its name the first of
 * them (redis.io/docs/latest/develop/reference/protocol-spec).
 */
export function createRedisReader(onRequest: (name: string) => void): RequestReader {
  let held = Buffer.alloc(0);
  return (piece) => {
    held = Buffer.concat([held, piece]);
    for (let request = readRequest(held); request !== undefined; request = readRequest(held)) {
      held = held.subarray(request.bytes);
      onRequest(request.name);
    }
  };
}

/** Reads the first request; undefined when not all of it is there. */
function readRequest(bytes: Buffer): { readonly name: string; readonly bytes: number } | undefined {
  const count = readCount(bytes, 0, '*');
  if (count === undefined) return undefined;
  let name = '';
  let at = count.end;
  for (let index = 0; index < count.value; index += 1) {
    const length = readCount(bytes, at, '$');
    if (length === undefined) return undefined;
    const end = length.end + length.value;
    if (bytes.length < end + lineEnd.length) return undefined;
    if (index === 0) name = bytes.toString('latin1', length.end, end).toLowerCase();
    at = end + lineEnd.length;
  }
  return { name, bytes: at };
}

function readCount(
  bytes: Buffer,
  at: number,
  mark: '*' | '$',
): { readonly value: number; readonly end: number } | undefined {
  const end = bytes.indexOf(lineEnd, at);
  if (end === -1) return undefined;
  const line = bytes.toString('latin1', at, end);
  if (line[0] !== mark || !/^\d+$/.test(line.slice(1))) throw new Error(`"${line}" is not a request's`);
  return { value: Number(line.slice(1)), end: end + lineEnd.length };
}
