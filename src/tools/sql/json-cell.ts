const plainNumber = /^-?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,4})?$/i;

/** Returns a number as a database wrote it, in JSON; what JSON has no number for (NaN, Infinity) as a string. */
export function numberCell(text: string): string {
  return plainNumber.test(text) ? text : JSON.stringify(text);
}

/** Returns bytes as hexadecimal digits, in JSON; no more of them than can be of use. */
export function bytesCell(bytes: Uint8Array): string {
  const shown = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, bytesShown)).toString(
    'hex',
  );
  return JSON.stringify(bytes.length > bytesShown ? `0x${shown}… (${bytes.length} bytes)` : `0x${shown}`);
}

const bytesShown = 64;
