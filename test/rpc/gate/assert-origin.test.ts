import { expect, test } from 'vitest';
import { assertOrigin } from '../../../src/rpc/gate/assert-origin.ts';

const own = 'https://service.test:8443';
const passes = (headers: Record<string, string>, isNeeded: boolean): boolean => {
  try {
    assertOrigin(new Headers(headers), own, isNeeded);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ status: 403, reason: 'ORIGIN_MISMATCH' });
    return false;
  }
};

test.for<[name: string, headers: Record<string, string>]>([
  ['the origin', { origin: own }],
  ['no Origin and a Referer of the service', { referer: `${own}/page?a=b#c` }],
  ['no Origin and a Referer in other letters', { referer: 'HTTPS://SERVICE.TEST:8443/' }],
  ['the origin, whatever the Referer', { origin: own, referer: 'https://evil.test/' }],
])('lets in: %s', ([, headers]) => {
  expect([passes(headers, true), passes(headers, false)]).toEqual([true, true]);
});

test.for<[name: string, headers: Record<string, string>]>([
  ['null', { origin: 'null' }],
  ['an empty Origin', { origin: '' }],
  ['another host', { origin: 'https://evil.test' }],
  ['another scheme', { origin: 'http://service.test:8443' }],
  ['another port', { origin: 'https://service.test:8444' }],
  ['no port', { origin: 'https://service.test' }],
  ['other letters', { origin: 'https://SERVICE.test:8443' }],
  ['a slash at the end', { origin: `${own}/` }],
  ['a path', { origin: `${own}/api` }],
  ['a longer host', { origin: `${own}.evil.test` }],
  ['a longer port', { origin: `${own}1` }],
  ['a subdomain', { origin: 'https://a.service.test:8443' }],
  ['the host as a user name', { origin: 'https://service.test:8443@evil.test' }],
  ['two origins', { origin: `${own}, https://evil.test` }],
  ['the same twice', { origin: `${own}, ${own}` }],
  ['null, and a Referer of the service', { origin: 'null', referer: `${own}/` }],
  ['a Referer of another site', { referer: `https://evil.test/?${own}` }],
  ['a Referer with the host as a user name', { referer: `${own}@evil.test/` }],
  ['a Referer that is no URL', { referer: 'service.test:8443' }],
  ['an empty Referer', { referer: '' }],
  ['a Referer of no origin', { referer: 'about:blank' }],
])('refuses: %s', ([, headers]) => {
  expect([passes(headers, true), passes(headers, false)]).toEqual([false, false]);
});

test('neither header is enough where one is needed, and where none is, enough', () => {
  expect([passes({}, true), passes({}, false)]).toEqual([false, true]);
});
