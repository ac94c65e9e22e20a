import type { Call } from './call.ts';
import { endUnread, isUnread } from './unread-body.ts';

/** Tells whether a request speaks gRPC or gRPC-Web. */
export function isGrpcRequest({ req }: Call): boolean {
  return /^application\/grpc(?:[+;-]|$)/i.test(req.headers['content-type'] ?? '');
}

/** Answers a gRPC call of an unknown method: HTTP 200 with trailers only, status 12, `UNIMPLEMENTED`. */
export function sendUnimplemented(call: Call): void {
  const { req, res } = call;
  const contentType = (req.headers['content-type'] ?? '').split(';')[0] as string;
  res.writeHead(200, {
    ...call.standingHeaders,
    'content-type': contentType,
    'grpc-status': '12',
    'grpc-message': encodeURIComponent(`unknown method ${call.path}`),
  });
  if (isUnread(req)) endUnread(req, res, '');
  else res.end();
}
