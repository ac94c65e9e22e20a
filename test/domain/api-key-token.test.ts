import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apiKeyHint,
  apiKeyTokenBytes,
  createApiKeyToken,
  hashApiKeyToken,
  isApiKeyToken,
} from '../../src/domain/api-key-token.ts';

const randomBytes = fc.uint8Array({ minLength: apiKeyTokenBytes, maxLength: apiKeyTokenBytes });
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API key', () => {
  test('is svc_live_, at least 30 base62 characters and a checksum of 6', () => {
    fc.assert(
      fc.property(randomBytes, (random) => {
        const token = createApiKeyToken(random);
        expect(token).toMatch(/^svc_live_[0-9A-Za-z]{36,}$/);
        expect(isApiKeyToken(token)).toBe(true);
      }),
    );
  });

  test('has the CRC-32 of what precedes it, in base 62', () => {
    // Python: zlib.crc32(b"svc_live_" + b"0" * 32) is 3585111259.
    const token = createApiKeyToken(new Uint8Array(apiKeyTokenBytes));
    expect(token).toBe(`svc_live_${'0'.repeat(32)}3uclD9`);
  });

  test('differs wherever its randomness does', () => {
    fc.assert(
      fc.property(randomBytes, randomBytes, (one, two) => {
        fc.pre(one.slice(24).toString() !== two.slice(24).toString());
        expect(createApiKeyToken(one)).not.toBe(createApiKeyToken(two));
      }),
    );
  });

  test('with any one character changed is refused', () => {
    fc.assert(
      fc.property(randomBytes, fc.nat(), fc.nat(61), (random, position, digit) => {
        const token = createApiKeyToken(random);
        const at = position % token.length;
        const changed = token.slice(0, at) + base62[digit] + token.slice(at + 1);
        fc.pre(changed !== token);
        expect(isApiKeyToken(changed)).toBe(false);
      }),
    );
  });

  test.for([
    '',
    'svc_live_',
    'svc_test_00000000000000000000000000000000000000',
    ' svc_live_7xkQmEGYmPuIJ3zHJFXVLW8JGeJDIouh4U9LXW',
    'svc_live_7xkQmEGYmPuIJ3zHJFXVLW8JGeJDIouh4U9LXW\n',
    'svc_live_7xkQmEGYmPuIJ3zHJFXVLW8JGeJDIouh4U9LX',
    `svc_live_${'0'.repeat(10_000)}`,
  ])('in the wrong form is refused: %j', (text) => {
    expect(isApiKeyToken(text)).toBe(false);
  });

  test('is stored as its SHA-256 and told apart by its last 4 characters', () => {
    // printf abc | sha256sum
    expect(hashApiKeyToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(apiKeyHint('svc_live_xyzABCD')).toBe('ABCD');
  });
});
