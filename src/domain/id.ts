/**
 * Returns a UUID of version 7 (RFC 9562 section 5.7): the time in milliseconds, then random bits, so that ids sort
 * roughly in the order in which they were made.
 *
 * @param random 10 random bytes.
 */
export function createId(nowMs: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < 6; index += 1) bytes[index] = Math.floor(nowMs / 256 ** (5 - index)) % 256;
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
