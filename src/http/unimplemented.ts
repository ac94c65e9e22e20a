import type { Call } from './call.ts';
import { encodeGrpcMessage } from './grpc/grpc-status.ts';
import { dropRest, endUnread, isUnread } from './unread-body.ts';

/** Tells whether a request speaks gRPC or gRPC-Web. */
export function isGrpcRequest({ req }: Call): boolean {
  return /^application\/grpc(?:[+;-]|$)/i.test(req.headers['content-type'] ?? '');
}

/** Answers a gRPC call of an unknown method: HTTP 200 with trailers only, status 12, `UNIMPLEMENTED`. */
export function sendUnimplemented(call: Call): void {
  const { req, res } = call;
  const contentType = (req.headers['content-type'] ?? '').split(';')[0] as string;
  const headers = {
    ...call.standingHeaders,
    'content-type': contentType,
    'grpc-status': '12',
    'grpc-message': encodeGrpcMessage(`unknown method ${call.path}`),
  };
  if (req.stream !== undefined) {
    // The header block itself has to end the stream: clients look for a status in no other place than the last block.
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    res.end();
    dropRest(req.stream);
    return;
  }
  res.writeHead(200, headers);
  if (isUnread(req)) endUnread(req, res, '');
  else res.end();
}
