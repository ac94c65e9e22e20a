import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Returns the MAC of a webhook: HMAC-SHA256 over `<timestamp>.<body>`, the timestamp as its header has it and the body
 * byte for byte as sent.
 *
 * @param secret the 64 hexadecimal characters of the secret, which are the key as text, undecoded.
 */
export function webhookMac(secret: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/**
 * Tells in constant time whether a signature header states the MAC: 64 hexadecimal characters of either case, nothing
 * before or after.
 */
export function isSignatureOf(mac: Buffer, signature: string): boolean {
  const isHex = /^[0-9a-f]{64}$/i.test(signature);
  // Node's decoder stops silently at the first character that is none; what is not whole is compared as zeros.
  const stated = isHex ? Buffer.from(signature, 'hex') : Buffer.alloc(mac.length);
  return timingSafeEqual(mac, stated) && isHex;
}

/**
 * Reads a timestamp header: decimal digits only; 13 or more are Unix milliseconds, fewer are seconds. Undefined for
 * anything else.
 */
export function parseWebhookTimestamp(text: string): number | undefined {
  if (!/^[0-9]{1,16}$/.test(text)) return undefined;
  return text.length >= 13 ? Number(text) : Number(text) * 1_000;
}
