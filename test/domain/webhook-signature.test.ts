import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSignatureOf, parseWebhookTimestamp, webhookMac } from '../../src/domain/webhook-signature.ts';

const secret = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const body = Buffer.from('{"a":1}');
const signature = '79b6366b226747b346bd60c93370c62ef4aab9b9cf429c132aea8b457ee1cc09';
const mac = webhookMac(secret, '1700000000', body);

describe('the MAC', () => {
  test('is that of the known vector, the key being the text of the secret', () => {
    expect(mac.toString('hex')).toBe(signature);
  });

  test('is not that of the decoded secret', () => {
    const decoded = createHmac('sha256', Buffer.from(secret, 'hex')).update('1700000000.{"a":1}');
    expect(decoded.digest('hex')).not.toBe(signature);
  });

  test('covers every byte of any body', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (bytes, seed) => {
        const changed = Uint8Array.from(bytes);
        const index = seed % bytes.length;
        changed[index] = (changed[index] ?? 0) ^ 1;
        const own = webhookMac(secret, '1', bytes);
        return (
          isSignatureOf(own, own.toString('hex')) &&
          !isSignatureOf(own, webhookMac(secret, '1', changed).toString('hex'))
        );
      }),
    );
  });

  test('covers the timestamp as it is written, and where it ends', () => {
    const texts = ['1700000000', '01700000000', '1700000000.', ''].map((text) =>
      webhookMac(secret, text, body).toString('hex'),
    );
    expect(new Set(texts).size).toBe(texts.length);
    // Without the dot, digits could move between timestamp and body.
    expect(webhookMac(secret, '17', Buffer.from('0'))).not.toEqual(
      webhookMac(secret, '170', Buffer.from('')),
    );
  });
});

describe('a stated signature', () => {
  test.for([
    signature,
    signature.toUpperCase(),
    `${signature.slice(0, 32)}${signature.slice(32).toUpperCase()}`,
  ])('is right in either case: %s', (stated) => expect(isSignatureOf(mac, stated)).toBe(true));

  test.for([
    '',
    ' ',
    signature.slice(0, -1),
    signature.slice(0, -2),
    `${signature}0`,
    `${signature}zz`,
    `${signature} `,
    ` ${signature}`,
    `${signature}\n`,
    `sha256=${signature}`,
    `0x${signature}`,
    `${signature}, ${signature}`,
    `${signature},${signature}`,
    `"${signature}"`,
    mac.toString('base64'),
    mac.toString('base64url'),
    mac.toString('latin1'),
    signature.replace('7', '８'),
    `0${signature.slice(1)}`,
    `${signature.slice(0, -1)}8`,
    '0'.repeat(64),
    'g'.repeat(64),
    'é'.repeat(32),
    signature.split('').reverse().join(''),
    'a'.repeat(100_000),
  ])('is wrong in any other form: %j', (stated) => {
    expect(isSignatureOf(mac, stated)).toBe(false);
  });

  test('of zeros is wrong even for what is compared in place of a malformed one', () => {
    expect(isSignatureOf(Buffer.alloc(32), 'zz')).toBe(false);
    expect(isSignatureOf(Buffer.alloc(32), '0'.repeat(64))).toBe(true);
  });

  test('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => isSignatureOf(mac, text) === false));
  });
});

describe('a timestamp', () => {
  test.for<[string, number]>([
    ['1700000000', 1_700_000_000_000],
    ['1700000000123', 1_700_000_000_123],
    ['0', 0],
    ['999999999999', 999_999_999_999_000],
    ['1000000000000', 1_000_000_000_000],
    ['0001700000000', 1_700_000_000],
  ])('%s is %i ms', ([text, ms]) => expect(parseWebhookTimestamp(text)).toBe(ms));

  test.for([
    '',
    ' 1700000000',
    '1700000000 ',
    '+1700000000',
    '-1700000000',
    '1700000000.0',
    '1.7e9',
    '0x6553f100',
    '1_700_000_000',
    '1,700,000,000',
    '１７００００００００',
    'abc',
    'NaN',
    'Infinity',
    '2023-11-14T22:13:20Z',
    '1700000000, 1700000000',
    '17000000000000000',
    '1'.repeat(400),
  ])('%j is none', (text) => expect(parseWebhookTimestamp(text)).toBeUndefined());
});
