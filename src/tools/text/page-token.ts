import { createHmac, timingSafeEqual } from 'node:crypto';
import { ToolFailure } from '../../ports/tool.ts';

/** What a token is good for: the same query through the same connection. */
export interface PageTokens {
  /** @param query the query without its cursor. */
  seal(cursor: string, query: unknown): string;
  /** @throws ToolFailure when the token was not made for this query. */
  open(token: string, query: unknown): string;
}

const macBytes = 16;

/**
 * Returns page tokens that a model can pass on but not make: a system's own cursors may say more than where to go on
 * (a query, an address), so that none may come from outside.
 *
 * @param secret known to the service alone.
 */
export function createPageTokens(secret: string): PageTokens {
  const key = createHmac('sha256', secret).update('page tokens').digest();

  function macOf(cursor: string, query: unknown): Buffer {
    const text = JSON.stringify([cursor, query]);
    return createHmac('sha256', key).update(text).digest().subarray(0, macBytes);
  }

  return {
    seal: (cursor, query) => `${encode(Buffer.from(cursor))}.${encode(macOf(cursor, query))}`,
    open(token, query) {
      const [cursorPart = '', macPart = ''] = token.trim().split('.');
      const cursor = Buffer.from(cursorPart, 'base64url').toString();
      const mac = Buffer.from(macPart, 'base64url');
      if (mac.length === macBytes && timingSafeEqual(mac, macOf(cursor, query))) return cursor;
      throw new ToolFailure('page_token does not belong to this search: repeat all its other arguments');
    },
  };
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64url');
}
