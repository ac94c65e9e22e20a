import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM; its own authority. */
  readonly cert: string;
}

/** Returns a self-signed certificate (X.509 v3, P-256) for host names and IPv4 addresses, valid for a day around now. */
export function selfSigned(...names: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const subject = sequence(
    tag(0x31, sequence(oid('550403'), tag(0x0c, Buffer.from(names[0] ?? 'localhost')))),
  );
  const day = 86_400_000;
  const body = sequence(
    tag(0xa0, tag(0x02, Buffer.from([2]))),
    tag(0x02, Buffer.concat([Buffer.from([1]), createHash('sha256').update(spki).digest().subarray(0, 8)])),
    ecdsaWithSha256,
    subject,
    sequence(utcTime(Date.now() - day), utcTime(Date.now() + day)),
    subject,
    spki,
    tag(
      0xa3,
      sequence(
        extension('551d13', sequence(tag(0x01, Buffer.from([0xff])))),
        extension('551d11', altNames(names)),
      ),
    ),
  );
  const signature = tag(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const der = sequence(body, ecdsaWithSha256, signature);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function altNames(names: readonly string[]): Buffer {
  return sequence(
    ...names.map((name) =>
      isIPv4(name) ? tag(0x87, Buffer.from(name.split('.').map(Number))) : tag(0x82, Buffer.from(name)),
    ),
  );
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tag(0x04, value));
}

function utcTime(unixMs: number): Buffer {
  return tag(0x17, Buffer.from(new Date(unixMs).toISOString().replace(/^..|[-:T]|\.\d+/g, '')));
}

function oid(hex: string): Buffer {
  return tag(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tag(0x30, ...parts);
}

/** Tag, length and value of DER (X.690, 8.1). */
function tag(kind: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const bytes = value.length.toString(16);
  const length =
    value.length < 128
      ? Buffer.from([value.length])
      : Buffer.concat([
          Buffer.from([0x80 | Math.ceil(bytes.length / 2)]),
          Buffer.from(bytes.padStart(bytes.length + (bytes.length % 2), '0'), 'hex'),
        ]);
  return Buffer.concat([Buffer.from([kind]), length, value]);
}
