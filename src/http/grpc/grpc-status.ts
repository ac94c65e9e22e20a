import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import type { ConnectError } from '@connectrpc/connect';
import { StatusSchema } from '../../../gen/google/rpc/status_pb.ts';

/** Headers of HTTP/2 as Node takes them. */
export type Http2Headers = Record<string, string | string[]>;

/** Returns the trailers that end a call in failure: status, message and google.rpc.Status with its details. */
export function statusTrailers(error: ConnectError): Http2Headers {
  const trailers: Http2Headers = {};
  error.metadata.forEach((value, name) => {
    trailers[name] = value;
  });
  trailers['grpc-status'] = String(error.code);
  trailers['grpc-message'] = encodeGrpcMessage(error.rawMessage);
  if (error.details.length > 0) {
    const details = error.details.map((detail) =>
      'desc' in detail
        ? anyPack(detail.desc, create(detail.desc, detail.value))
        : { typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value },
    );
    const status = create(StatusSchema, { code: error.code, message: error.rawMessage, details });
    trailers['grpc-status-details-bin'] = Buffer.from(toBinary(StatusSchema, status)).toString('base64');
  }
  return trailers;
}

/**
 * Writes a status message for the wire: bytes outside of printable ASCII, and the percent sign, percent-encoded
 * (grpc/doc/PROTOCOL-HTTP2.md, Responses). Encoding more, as encodeURIComponent does, shows in some clients.
 */
export function encodeGrpcMessage(message: string): string {
  return message.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent);
}
