import { createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/ports/random.ts';
import { createAesGcmSealer } from '../../src/secrets/aes-gcm-sealer.ts';

const key = new Uint8Array(32).fill(1);
const otherKey = new Uint8Array(32).fill(2);
const sealer = createAesGcmSealer([key], systemRandom);

describe('sealed text', () => {
  test('opens to what was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        expect(sealer.open(sealer.seal(text, context), context)).toBe(text);
      }),
    );
  });

  test('is AES-256-GCM with the nonce before and the tag after it, its context authenticated', () => {
    const bytes = Buffer.from(sealer.seal('secret', 'record/1').split('.')[2] ?? '', 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from('record/1'));
    decipher.setAuthTag(bytes.subarray(-16));
    const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
    expect(text.toString()).toBe('secret');
  });

  test('differs each time and shows nothing of the text', () => {
    const sealed = Array.from({ length: 20 }, () => sealer.seal('hunter2-hunter2', 'a'));
    expect(new Set(sealed).size).toBe(20);
    expect(sealed.join()).not.toContain('hunter2');
  });

  test('does not open for another record', () => {
    expect(() => sealer.open(sealer.seal('secret', 'record/1'), 'record/2')).toThrow();
  });

  test('does not open with another key', () => {
    const sealed = sealer.seal('secret', 'a');
    expect(() => createAesGcmSealer([otherKey], systemRandom).open(sealed, 'a')).toThrow('not configured');
  });

  test('opens with an earlier key, and is sealed with the first', () => {
    const rotated = createAesGcmSealer([otherKey, key], systemRandom);
    expect(rotated.open(sealer.seal('secret', 'a'), 'a')).toBe('secret');
    const alone = createAesGcmSealer([otherKey], systemRandom);
    expect(alone.open(rotated.seal('secret', 'a'), 'a')).toBe('secret');
  });

  test('says whether the first key sealed it', () => {
    const rotated = createAesGcmSealer([otherKey, key], systemRandom);
    expect(rotated.isCurrent(rotated.seal('secret', 'a'))).toBe(true);
    expect(rotated.isCurrent(sealer.seal('secret', 'a'))).toBe(false);
  });

  test('with any character changed does not open', () => {
    const sealed = sealer.seal('secret', 'a');
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      expect(() => sealer.open(changed, 'a'), changed).toThrow();
    }
  });

  test.for(['', 'v1', 'v1..', 'v2.aaaaaaaa.AAAA', 'plain text'])(
    'in the wrong form does not open: %j',
    (text) => {
      expect(() => sealer.open(text, 'a')).toThrow();
    },
  );
});
