import type { Interceptor } from '@connectrpc/connect';

/**
 * Keeps an implementation's content-type and content-length from breaking the RPC protocols, whose own type and length
 * differ from those of the file in their messages: the file's length goes out as `x-service-content-length`. Over REST,
 * where the protocol sets no type, both stand as they are.
 */
export const protectHeadersInterceptor: Interceptor = (next) => async (req) => {
  const res = await next(req);
  const protocolType = res.header.get('content-type');
  if (!res.stream || protocolType === null) return res;
  return { ...res, message: protecting(res.message, res.header, protocolType) };
};

async function* protecting<Message>(messages: AsyncIterable<Message>, header: Headers, protocolType: string) {
  let isFirst = true;
  for await (const message of messages) {
    if (isFirst) {
      isFirst = false;
      header.set('content-type', protocolType);
      const length = header.get('content-length');
      if (length !== null) header.set('x-service-content-length', length);
      header.delete('content-length');
    }
    yield message;
  }
}
