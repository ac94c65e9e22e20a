import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createSessionToken,
  csrfTokenOf,
  hashSessionToken,
  isCsrfToken,
  isSessionToken,
  sessionTokenBytes,
} from '../../src/domain/session-token.ts';

const token = createSessionToken(new Uint8Array(sessionTokenBytes).fill(1));

test('a token holds 256 random bits, all of them', () => {
  expect(sessionTokenBytes * 8).toBe(256);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (random) => {
      const made = createSessionToken(random);
      expect(isSessionToken(made)).toBe(true);
      expect(new Uint8Array(Buffer.from(made, 'base64url'))).toEqual(random);
    }),
  );
});

test.for([
  '',
  'a',
  token.slice(1),
  `${token}A`,
  ` ${token}`,
  `${token}\n`,
  token.replace(/.$/, '='),
  'é'.repeat(43),
])('what has another form is no token: %j', (text) => {
  expect(isSessionToken(text)).toBe(false);
});

test('what is stored of a token is its SHA-256, and neither token is in it', () => {
  expect(hashSessionToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hashSessionToken(token)).not.toContain(token);
});

test('the token against forged requests is an HMAC under the session’s own', () => {
  expect(csrfTokenOf(token)).toBe(createHmac('sha256', token).update('csrf').digest('base64url'));
  expect(isCsrfToken(token, csrfTokenOf(token))).toBe(true);
});

test('nothing else passes for it', () => {
  const right = csrfTokenOf(token);
  const other = csrfTokenOf(createSessionToken(new Uint8Array(32).fill(2)));
  const wrong = [
    '',
    other,
    token,
    right.slice(0, -1),
    `${right}A`,
    ` ${right}`,
    right.toUpperCase(),
    `${right}, ${right}`,
  ];
  for (const sent of wrong) expect(isCsrfToken(token, sent), sent).toBe(false);
  fc.assert(fc.property(fc.string(), (sent) => sent === right || !isCsrfToken(token, sent)));
});
