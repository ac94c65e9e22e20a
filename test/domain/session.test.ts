import { expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { isExpired, passwordTag } from '../../src/domain/session.ts';

const session = {
  id: 's',
  userId: 'u',
  passwordTag: 't',
  createdAtMs: 0,
  lastUsedAtMs: 5_000,
  expiresAtMs: 43_200_000,
};

test('sessions last 30 minutes without a use and 12 hours in all', () => {
  expect(limits.session).toMatchObject({ idleMs: 30 * 60_000, absoluteMs: 12 * 3_600_000 });
});

test.for<readonly [string, Partial<typeof session>, number, boolean]>([
  ['just used', {}, 5_000, false],
  ['idle, one millisecond before', {}, 1_804_999, false],
  ['idle', {}, 1_805_000, true],
  ['used all the time, one millisecond before its end', { lastUsedAtMs: 43_199_999 }, 43_199_999, false],
  ['used all the time', { lastUsedAtMs: 43_199_999 }, 43_200_000, true],
  ['used in the future, by a clock that was put back', { lastUsedAtMs: 90_000 }, 5_000, false],
])('%s', ([, fields, nowMs, expected]) => {
  expect(isExpired({ ...session, ...fields }, nowMs)).toBe(expected);
});

test('what a session keeps of a password is neither its hash nor the same for the same password set again', () => {
  const [first, second] = ['$argon2id$v=19$a$b', '$argon2id$v=19$c$d'].map(passwordTag);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(first).not.toBe(second);
});
