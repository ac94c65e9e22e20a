import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Random bytes that `createSessionToken` takes. */
export const sessionTokenBytes = 32;

const form = /^[0-9A-Za-z_-]{43}$/;

/**
 * Returns what a session's cookie holds.
 *
 * @param random `sessionTokenBytes` random bytes.
 */
export function createSessionToken(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

/** Says whether `text` has the form of a token; no session need have it. */
export function isSessionToken(text: string): boolean {
  return form.test(text);
}

/** Returns what is stored of a token: its SHA-256, hexadecimal. */
export function hashSessionToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Returns the token against forged requests of a session: an HMAC under the session's own token, so that nobody without
 * the cookie can make it and nothing of it is stored.
 */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

/** Says whether `sent` is the session's token against forged requests, in a time that tells nothing about it. */
export function isCsrfToken(token: string, sent: string): boolean {
  const digests = [csrfTokenOf(token), sent].map((text) => hash('sha256', text, 'buffer'));
  const [expected, given] = digests as [Buffer, Buffer];
  return timingSafeEqual(expected, given);
}
