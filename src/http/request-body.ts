import { Code, ConnectError } from '@connectrpc/connect';
import { ServiceError } from '../domain/errors.ts';
import type { Call } from './call.ts';

export interface BodyLimits {
  readonly bodyBytes: number;
  /** From now to the body's last byte. */
  readonly requestTimeoutMs: number;
}

/**
 * Reads a request's body whole, counting while it arrives.
 *
 * @throws `payload_too_large` as soon as the body is known to be over its limit, without reading the rest;
 * `invalid_request` when it does not arrive in time; ConnectError `canceled` when the client goes away
 */
export function readBody(call: Call, limits: BodyLimits): Promise<Buffer> {
  const { req, res } = call;
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > limits.bodyBytes) return Promise.reject(tooLarge(limits.bodyBytes));
  if (call.expectsContinue) res.writeContinue();
  if (req.complete && req.readableLength === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (): void => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const fail = (error: Error): void => {
      settle();
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limits.bodyBytes) fail(tooLarge(limits.bodyBytes));
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      settle();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    };
    const onClose = (): void => fail(new ConnectError('the client went away', Code.Canceled));
    // Node itself times whole requests of HTTP/1 only.
    const timer = setTimeout(() => fail(tooSlow()), limits.requestTimeoutMs);
    req.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** @param bodyBytes the limit that the body is over */
export function tooLarge(bodyBytes: number): ServiceError {
  return new ServiceError('payload_too_large', { detail: `The body is larger than ${bodyBytes} bytes.` });
}

/** A body that took longer than it may. */
export function tooSlow(): ServiceError {
  return new ServiceError('invalid_request', { detail: 'The body did not arrive in time.' });
}
