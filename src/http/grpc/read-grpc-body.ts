import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { Code, ConnectError } from '@connectrpc/connect';
import type { ServiceError } from '../../domain/errors.ts';
import { type BodyLimits, tooLarge, tooSlow } from '../request-body.ts';
import { declaredBytes } from './grpc-message.ts';

const prefixBytes = 5;

/**
 * Reads the body of a gRPC call whole.
 *
 * @throws `payload_too_large` as soon as a message is known to be over the limit, by what its prefix declares or by
 * what has arrived; `invalid_request` when it does not arrive in time; ConnectError `canceled` when the client goes away
 */
export function readGrpcBody(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  limits: BodyLimits,
): Promise<Buffer> {
  const most = limits.bodyBytes + prefixBytes;
  if (Number(headers['content-length'] ?? 0) > most) return Promise.reject(tooLarge(limits.bodyBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const fail = (error: ServiceError | ConnectError): void => {
      settle();
      stream.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      const declared =
        bytes < 2 * prefixBytes || chunks.length === 1 ? declaredBytes(join(chunks)) : undefined;
      if (bytes > most || (declared ?? 0) > limits.bodyBytes) fail(tooLarge(limits.bodyBytes));
    };
    const onEnd = (): void => {
      settle();
      resolve(join(chunks));
    };
    const onClose = (): void => fail(new ConnectError('the client went away', Code.Canceled));
    const timer = setTimeout(() => fail(tooSlow()), limits.requestTimeoutMs);
    stream.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function join(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
