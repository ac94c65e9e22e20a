import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { Random } from '../ports/random.ts';
import type { RotatingSealer } from '../ports/sealer.ts';

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals with AES-256-GCM (NIST SP 800-38D) as `v1.<key id>.<base64url of nonce, ciphertext, tag>`; the key id is the
 * first 8 hexadecimal digits of the key's SHA-256, so that sealed text says which key it needs.
 *
 * @param keys 32 bytes each. The first seals; all open.
 */
export function createAesGcmSealer(
  keys: readonly [Uint8Array, ...Uint8Array[]],
  random: Random,
): RotatingSealer {
  const [current] = keys;
  const currentId = keyId(current);
  const keysById = new Map(keys.map((key) => [keyId(key), key]));
  return {
    seal(text, context) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${version}.${currentId}.${sealed.toString('base64url')}`;
    },

    open(sealed, context) {
      const [sealedVersion, id = '', body = ''] = sealed.split('.');
      if (sealedVersion !== version) throw new Error('the sealed text has an unknown form');
      const key = keysById.get(id);
      if (key === undefined)
        throw new Error(`the text was sealed with the key ${id}, which is not configured`);
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) throw new Error('the sealed text is cut short');
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },

    isCurrent: (sealed) => sealed.startsWith(`${version}.${currentId}.`),
  };
}

function keyId(key: Uint8Array): string {
  return hash('sha256', key, 'hex').slice(0, 8);
}
