import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress, isPublicHostname, parseAddress } from '../../src/domain/network-address.ts';

describe('isPublicAddress', () => {
  test.for([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
  ])('takes %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.for([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:10.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '5f00::1',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.for([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.4.',
    '256.1.1.1',
    '2130706433',
    '0x7f.0.0.1',
    '1:2',
    ':::',
    '1::2::3',
    '12345::',
    '::1.2.3',
    '[::1]',
  ])('refuses what is no address: %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
    expect(isPublicAddress(text)).toBe(false);
  });

  test('reads every address that the platform reads, and no other', () => {
    const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{1,24}$/));
    fc.assert(
      fc.property(text, (address) => {
        expect(parseAddress(address)?.length).toBe({ 0: undefined, 4: 4, 6: 16 }[isIP(address)]);
      }),
    );
  });

  test('agrees with the block list of the platform on private IPv4 addresses, in IPv6 form too', () => {
    const privateBlocks = new BlockList();
    for (const [network, bits] of [
      ['10.0.0.0', 8],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.168.0.0', 16],
      ['100.64.0.0', 10],
    ] as const) {
      privateBlocks.addSubnet(network, bits);
    }
    const near = fc
      .tuple(
        fc.constantFrom(9, 10, 11, 100, 126, 127, 128, 169, 172, 192),
        fc.nat(255),
        fc.nat(255),
        fc.nat(255),
      )
      .map((bytes) => bytes.join('.'));
    fc.assert(
      fc.property(near, (address) => {
        if (privateBlocks.check(address)) {
          expect(isPublicAddress(address)).toBe(false);
          expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
          expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
        }
      }),
    );
  });
});

describe('isPublicHostname', () => {
  test.for([
    'example.com',
    'cdn.example.com.',
    'EXAMPLE.ORG',
    'xn--bcher-kva.example.net',
    'localhost.example.com',
  ])('takes %s', (name) => {
    expect(isPublicHostname(name)).toBe(true);
  });

  test.for([
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    'intranet',
    'printer.local',
    'metadata.google.internal',
    'metadata.google.internal.',
    'metadata',
    'router.home.arpa',
    'db.corp',
    'x.test',
    'a..example.com',
    'example.com..',
    '.example.com',
    '',
    '.',
  ])('refuses %j', (name) => {
    expect(isPublicHostname(name)).toBe(false);
  });
});
