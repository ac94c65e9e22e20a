import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'svc_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretChars = 32;
const checksumChars = 6;
const form = /^svc_live_[0-9A-Za-z]{36,}$/;
const charsMax = 128;

/** Random bytes that `createApiKeyToken` takes. */
export const apiKeyTokenBytes = 48;

/**
 * Returns a new API key: `svc_live_`, 32 base62 characters (190 bits), and the CRC-32 of all before it as 6 base62
 * characters, so that a mistyped key and a leaked one are recognised without a look-up.
 *
 * @param random `apiKeyTokenBytes` random bytes.
 */
export function createApiKeyToken(random: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  let secret = '';
  for (; secret.length < secretChars; rest /= 62n) secret += alphabet.charAt(Number(rest % 62n));
  const body = prefix + secret;
  return body + checksum(body);
}

/** Says whether `text` has the form of an API key and its checksum is right; unknown keys may have both. */
export function isApiKeyToken(text: string): boolean {
  if (text.length > charsMax || !form.test(text)) return false;
  return text.endsWith(checksum(text.slice(0, -checksumChars)));
}

/** Returns what is stored of a key: its SHA-256, hexadecimal. */
export function hashApiKeyToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Returns the last 4 characters of a key, by which people tell keys apart. */
export function apiKeyHint(token: string): string {
  return token.slice(-4);
}

function checksum(body: string): string {
  let text = '';
  let rest = crc32(body);
  for (let index = 0; index < checksumChars; index += 1) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
