import { describe, expect, test } from 'vitest';
import { createClientAddress } from '../../src/http/client-address.ts';

describe('the address of a client', () => {
  const address = createClientAddress(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']);

  test.for([
    ['203.0.113.5', undefined, '203.0.113.5'],
    ['::ffff:203.0.113.5', undefined, '203.0.113.5'],
    ['fe80::1%eth0', undefined, 'fe80::1'],
    // Nobody but a proxy is believed.
    ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['2001:db8::9', '198.51.100.1', '198.51.100.1'],
    ['192.0.2.7', ' 198.51.100.1:443 ', '198.51.100.1'],
    ['192.0.2.7', '[2001:470::1]:443', '2001:470::1'],
    // From the right: what a client has written itself stands to the left.
    ['10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '198.51.100.1, 10.9.9.9, 192.0.2.7', '198.51.100.1'],
    ['10.1.2.3', '10.4.4.4', '10.4.4.4'],
    ['10.1.2.3', 'unknown', '10.1.2.3'],
    ['10.1.2.3', '', '10.1.2.3'],
    [undefined, '198.51.100.1', ''],
  ] as const)('peer %s, X-Forwarded-For %s: %s', ([peer, forwardedFor, expected]) => {
    expect(address(peer, forwardedFor)).toBe(expected);
  });

  test('without proxies no header counts', () => {
    expect(createClientAddress([])('10.1.2.3', '198.51.100.1')).toBe('10.1.2.3');
  });

  test.for(['proxy', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/8/8', '10.0.0.0/', ''])(
    '%s is no proxy',
    (entry) => {
      expect(() => createClientAddress([entry])).toThrow(`trusted proxy "${entry}"`);
    },
  );
});
