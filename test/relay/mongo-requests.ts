import type { RequestReader } from './request-reader.ts';

const headerBytes = 16;
const opQuery = 2004;
const opMsg = 2013;

/**
 * Returns a reader of MongoDB's wire protocol: one request is one OP_MSG, or the OP_QUERY with which older handshakes
 * begin, and its name the first field of its first document (mongodb.com/docs/manual/reference/mongodb-wire-protocol).
 */
export function createMongoReader(onRequest: (name: string) => void): RequestReader {
  let held = Buffer.alloc(0);
  return (piece) => {
    held = Buffer.concat([held, piece]);
    while (held.length >= headerBytes && held.length >= held.readInt32LE(0)) {
      const message = held.subarray(0, held.readInt32LE(0));
      held = held.subarray(message.length);
      onRequest(nameOf(message));
    }
  };
}

function nameOf(message: Buffer): string {
  const document = message.subarray(documentStart(message));
  // The length of the document, the type of its first field, then that field's name.
  const nameStart = 5;
  return document.toString('utf8', nameStart, document.indexOf(0, nameStart)).toLowerCase();
}

function documentStart(message: Buffer): number {
  const opCode = message.readInt32LE(12);
  if (opCode === opMsg) {
    const kind = message[headerBytes + 4];
    if (kind !== 0) throw new Error(`a message that begins with a section of kind ${kind}`);
    return headerBytes + 5;
  }
  // Flags, the collection's name, how many to skip and to return.
  if (opCode === opQuery) return message.indexOf(0, headerBytes + 4) + 9;
  throw new Error(`a message of kind ${opCode}`);
}
