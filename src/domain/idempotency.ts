import { createHash } from 'node:crypto';
import type { ChatInput } from './chat.ts';
import { ServiceError } from './errors.ts';
import { limits } from './limits.ts';

/**
 * Returns the Idempotency-Key of a call, or undefined when it has none.
 *
 * @throws `invalid_request` unless it is 1 to 255 printable ASCII characters.
 */
export function parseIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  const { idempotencyKeyChars } = limits.chat;
  if (header.length > idempotencyKeyChars || !/^[\x20-\x7e]+$/.test(header)) {
    throw new ServiceError('invalid_request', {
      detail: `Idempotency-Key must be 1 to ${idempotencyKeyChars} printable ASCII characters`,
    });
  }
  return header;
}

/** Returns the name under which the key of one API key is claimed: SHA-256, hexadecimal. */
export function claimName(apiKeyId: string, idempotencyKey: string): string {
  return sha256(JSON.stringify([apiKeyId, idempotencyKey]));
}

/** Returns the same text for the same request however it was written (white space, order, defaults): SHA-256, hexadecimal. */
export function bodyFingerprint(body: ChatInput): string {
  const messages = body.messages.map(({ role, content }) => [role, content]);
  return sha256(
    JSON.stringify([messages, body.model ?? null, body.mode, body.permission, body.conversationId ?? null]),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
