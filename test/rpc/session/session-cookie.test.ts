import { describe, expect, test } from 'vitest';
import { createSessionCookie, sessionCookieName } from '../../../src/rpc/session/session-cookie.ts';

const plain = createSessionCookie('http://service.test');
const secure = createSessionCookie('https://service.test:8443/base');

describe('the cookie', () => {
  test('over http is out of reach of scripts and of other sites’ posts', () => {
    expect(plain.give('abc')).toBe('session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200');
  });

  test('over https is bound to its host and to https as well', () => {
    expect(secure.give('abc')).toBe(
      '__Host-session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=43200',
    );
    expect(secure.give('abc')).not.toMatch(/domain/i);
    expect(sessionCookieName('https://service.test')).toBe('__Host-session');
  });

  test('is taken away under the attributes that it was given with', () => {
    expect(secure.take()).toBe('__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
    expect(plain.take()).toBe('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
  });
});

test.for<[header: string | null, token: string | undefined]>([
  [null, undefined],
  ['', undefined],
  ['session=abc', 'abc'],
  ['a=b; session=abc; c=d', 'abc'],
  ['a=b;session=abc', 'abc'],
  ['session=abc=', 'abc='],
  ['session=', ''],
  ['session="abc"', '"abc"'],
  ['session', ''],
  ['Session=abc', undefined],
  ['SESSION=abc', undefined],
  ['xsession=abc', undefined],
  ['session2=abc', undefined],
  ['__Host-session=abc', undefined],
  ['a="; session=abc"', 'abc"'],
  ['session=abc; session=abc', 'abc'],
  ['session=abc; session=def', undefined],
  ['session=abc; session=', undefined],
  [';;; ; =; session=abc;;', 'abc'],
])('of %j the token is %j', ([header, token]) => {
  expect(plain.read(header)).toBe(token);
});

test('over https the plain name counts for nothing', () => {
  expect(secure.read('session=abc')).toBeUndefined();
  expect(secure.read('session=abc; __Host-session=def')).toBe('def');
});
