import type { ConnectError, Interceptor } from '@connectrpc/connect';
import { toConnectError } from '../rpc/connect-error.ts';
import { failureKey } from './call.ts';

/** Returns the outermost interceptor: every failure of a call leaves it as a ConnectError, and is kept for the log. */
export function createErrorInterceptor(errorDomain: string): Interceptor {
  return (next) => async (req) => {
    const convert = (error: unknown): ConnectError => {
      req.contextValues.set(failureKey, error);
      return toConnectError(error, errorDomain);
    };
    try {
      const res = await next(req);
      return res.stream ? { ...res, message: converting(res.message, convert) } : res;
    } catch (error) {
      throw convert(error);
    }
  };
}

async function* converting<Message>(
  messages: AsyncIterable<Message>,
  convert: (error: unknown) => ConnectError,
) {
  try {
    yield* messages;
  } catch (error) {
    throw convert(error);
  }
}
