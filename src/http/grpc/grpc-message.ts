import { type DescMessage, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { ServiceError } from '../../domain/errors.ts';

const prefixBytes = 5;

/** Writes a message with its prefix: no compression, and its length (grpc/doc/PROTOCOL-HTTP2.md, Length-Prefixed-Message). */
export function frameMessage(desc: DescMessage, message: Message): Buffer {
  const bytes = toBinary(desc, message);
  const frame = Buffer.allocUnsafe(prefixBytes + bytes.length);
  frame[0] = 0;
  frame.writeUInt32BE(bytes.length, 1);
  frame.set(bytes, prefixBytes);
  return frame;
}

/**
 * Reads the one message of a request.
 *
 * @throws ConnectError `unimplemented` when there is none or a second one, `internal` when it says that it is
 * compressed; `invalid_request` when it is not the message that it should be
 */
export function readMessage(desc: DescMessage, body: Buffer): Message {
  if (body.length < prefixBytes) throw new ConnectError('the request has no message', Code.Unimplemented);
  if (body[0] !== 0)
    throw new ConnectError('the message is compressed, but no encoding is named', Code.Internal);
  const end = prefixBytes + body.readUInt32BE(1);
  if (body.length < end) throw new ConnectError('the message ends early', Code.InvalidArgument);
  if (body.length > end) throw new ConnectError('the request has more than one message', Code.Unimplemented);
  try {
    return fromBinary(desc, body.subarray(prefixBytes, end));
  } catch (cause) {
    throw new ServiceError('invalid_request', { detail: 'The message is not valid protobuf.', cause });
  }
}

/** Bytes that the message of a request has, as its prefix tells; undefined while the prefix has not arrived. */
export function declaredBytes(head: Uint8Array): number | undefined {
  if (head.length < prefixBytes) return undefined;
  return new DataView(head.buffer, head.byteOffset).getUint32(1);
}
