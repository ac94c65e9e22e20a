import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImageSource } from '../../../src/documents/images/image-source.ts';
import { limits } from '../../../src/domain/limits.ts';
import type { Network } from '../../../src/net/connect-public.ts';
import { ImageError } from '../../../src/ports/image-source.ts';
import { type Certificate, selfSigned } from '../../certificate.ts';

const publicAddress = '93.184.216.34';
const names = ['images.example.com', 'other.example.com', publicAddress];

let certificate: Certificate;
let server: Server;
let serverPort: number;
let png: Buffer;
let answer: RequestListener;
let connections: { readonly address: string; readonly port: number }[];
let sniNames: unknown[];
let requests: { readonly host: string | undefined; readonly url: string | undefined }[];
const sockets = new Set<Socket>();

beforeAll(async () => {
  certificate = selfSigned(...names);
  png = await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  server = createServer(certificate, (req, res) => {
    requests.push({ host: req.headers.host, url: req.url });
    answer(req, res);
  });
  server.on('secureConnection', (socket) => sniNames.push(socket.servername));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  serverPort = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

/** A network in which every name has the given answers in turn, and every public address is the local server. */
function networkOf(...lookups: readonly (readonly string[])[]): Network {
  const answers = [...lookups];
  return {
    lookup: async () => answers.shift() ?? [publicAddress],
    open: (address, port) => {
      connections.push({ address, port });
      return connect(serverPort, '127.0.0.1');
    },
  };
}

interface Trial {
  readonly answer?: RequestListener;
  readonly network?: Network;
  readonly ca?: string;
  readonly fetchTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

async function resolve(src: string, trial: Trial = {}) {
  answer = trial.answer ?? ((_, res) => res.end(png));
  connections = [];
  sniNames = [];
  requests = [];
  const source = createImageSource({
    network: trial.network ?? networkOf(),
    ca: trial.ca ?? certificate.cert,
    ...(trial.fetchTimeoutMs === undefined ? {} : { fetchTimeoutMs: trial.fetchTimeoutMs }),
  });
  return await source.resolve(src, trial.signal);
}

async function failure(src: string, trial: Trial = {}): Promise<ImageError> {
  try {
    await resolve(src, trial);
  } catch (error) {
    expect(error).toBeInstanceOf(ImageError);
    return error as ImageError;
  }
  throw new Error(`resolved: ${src}`);
}

const redirectTo =
  (...locations: readonly string[]): RequestListener =>
  (req, res) => {
    const hop = Number(req.url?.slice(1) || 0);
    const location = locations[hop];
    if (location === undefined) res.end(png);
    else res.writeHead(302, { location }).end();
  };

describe('what is allowed', () => {
  test('a picture of a public host is fetched over TLS from exactly the address that was checked', async () => {
    const asset = await resolve('https://images.example.com/a/b.png?c=d#e');
    expect(asset).toMatchObject({ kind: 'png', width: 3, height: 2 });
    expect(connections).toEqual([{ address: publicAddress, port: 443 }]);
    expect(sniNames).toEqual(['images.example.com']);
    expect(requests).toEqual([{ host: 'images.example.com', url: '/a/b.png?c=d' }]);
  });

  test('a public address may stand in place of a name, and its certificate must name it', async () => {
    await resolve(`https://${publicAddress}/x.png`, { network: networkOf([]) });
    expect(connections).toEqual([{ address: publicAddress, port: 443 }]);
    expect(sniNames).toEqual([false]);
    expect((await failure('https://8.8.8.8/x.png')).slug).toBe('spec_invalid');
  });

  test('a port from 1024 is part of the address and of the Host header', async () => {
    await resolve('https://images.example.com:8443/x.png');
    expect(connections).toEqual([{ address: publicAddress, port: 8443 }]);
    expect(requests[0]?.host).toBe('images.example.com:8443');
  });

  test('a trailing dot of the host does not reach the certificate check', async () => {
    expect(await resolve('https://images.example.com./x.png')).toMatchObject({ kind: 'png' });
  });

  test('three redirects are followed, relative and to other hosts, each looked up anew', async () => {
    const network = networkOf([publicAddress], ['93.184.216.35'], ['93.184.216.36'], ['93.184.216.37']);
    await resolve('https://images.example.com/', {
      network,
      answer: redirectTo('/1', 'https://other.example.com/2', '//images.example.com/3'),
    });
    expect(connections.map(({ address }) => address)).toEqual([
      publicAddress,
      '93.184.216.35',
      '93.184.216.36',
      '93.184.216.37',
    ]);
    expect(requests.map(({ host }) => host)).toEqual([
      'images.example.com',
      'images.example.com',
      'other.example.com',
      'images.example.com',
    ]);
  });

  test('when one address does not answer, the next of the same answer is tried', async () => {
    const network = networkOf(['93.184.216.35', publicAddress]);
    let first = true;
    const open: Network['open'] = (address, port) => {
      const socket = network.open(address, port);
      if (first) socket.destroy(new Error('unreachable'));
      first = false;
      return socket;
    };
    await resolve('https://images.example.com/x.png', { network: { ...network, open } });
    expect(connections.map(({ address }) => address)).toEqual(['93.184.216.35', publicAddress]);
  });

  test('the declared type of an answer does not matter, its bytes do', async () => {
    const answer: RequestListener = (_, res) => res.writeHead(200, { 'content-type': 'text/html' }).end(png);
    expect(await resolve('https://images.example.com/', { answer })).toMatchObject({ kind: 'png' });
  });
});

describe('unsafe_image_ref', () => {
  test.for([
    '',
    'logo.png',
    '/etc/passwd',
    '../../etc/passwd',
    'C:\\pictures\\logo.png',
    '\\\\server\\share\\logo.png',
    '//images.example.com/x.png',
    'file:///etc/passwd',
    'http://images.example.com/x.png',
    'ftp://images.example.com/x.png',
    'blob:https://images.example.com/x',
    'javascript:alert(1)',
    'view-source:https://images.example.com/x.png',
    'https://',
    'https://user@images.example.com/x.png',
    'https://user:secret@images.example.com/x.png',
    'https://images.example.com:22/x.png',
    'https://images.example.com:80/x.png',
    'https://images.example.com:0/x.png',
    'https://localhost/x.png',
    'https://localhost./x.png',
    'https://LOCALHOST:8443/x.png',
    'https://intranet/x.png',
    'https://printer.local/x.png',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://127.0.0.1/x.png',
    'https://127.0.0.1./x.png',
    'https://127.1/x.png',
    'https://0/x.png',
    'https://2130706433/x.png',
    'https://0x7f000001/x.png',
    'https://0177.0.0.1/x.png',
    'https://0x7f.1/x.png',
    'https://１２７.０.０.１/x.png',
    'https://127。0。0。1/x.png',
    'https:\\\\127.0.0.1\\x.png',
    'ht\ntps://127.0.0.1/x.png',
    'https://10.1.2.3/x.png',
    'https://100.64.0.1/x.png',
    'https://168.63.129.16/x.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.168.1.1/x.png',
    'https://[::1]/x.png',
    'https://[::]/x.png',
    'https://[::127.0.0.1]/x.png',
    'https://[::ffff:127.0.0.1]/x.png',
    'https://[64:ff9b::7f00:1]/x.png',
    'https://[2002:7f00:1::]/x.png',
    'https://[fd00:ec2::254]/x.png',
    'https://[fe80::1]/x.png',
    `https://images.example.com/${'x'.repeat(8_192)}`,
  ])('%j is refused without a look-up or a connection', async (src) => {
    let lookups = 0;
    const network: Network = {
      ...networkOf(),
      lookup: async () => {
        lookups += 1;
        return [publicAddress];
      },
    };
    expect((await failure(src, { network })).slug).toBe('unsafe_image_ref');
    expect({ lookups, connections }).toEqual({ lookups: 0, connections: [] });
  });

  test.for([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['169.254.169.254']],
    [['168.63.129.16']],
    [[publicAddress, '192.168.0.1']],
    [['192.168.0.1', publicAddress]],
    [['2606:4700::1', '64:ff9b::a00:1']],
    [['not an address']],
  ] as const)('a name whose addresses are %j is refused without a connection', async ([addresses]) => {
    const error = await failure('https://images.example.com/x.png', { network: networkOf(addresses) });
    expect(error.slug).toBe('unsafe_image_ref');
    expect(connections).toEqual([]);
    for (const address of addresses) expect(error.message).not.toContain(address);
  });

  test('a name that changes its address between two redirects is judged by the new one', async () => {
    const network = networkOf([publicAddress], ['127.0.0.1']);
    const error = await failure('https://images.example.com/', { network, answer: redirectTo('/1') });
    expect(error.slug).toBe('unsafe_image_ref');
    expect(connections).toEqual([{ address: publicAddress, port: 443 }]);
  });

  test('a name is looked up once, so that a second answer cannot move the connection', async () => {
    await resolve('https://images.example.com/', { network: networkOf([publicAddress], ['127.0.0.1']) });
    expect(connections).toEqual([{ address: publicAddress, port: 443 }]);
  });

  test.for([
    'http://images.example.com/1',
    'https://127.0.0.1/1',
    'https://[::ffff:127.0.0.1]/1',
    'https://2130706433/1',
    'https://localhost/1',
    'https://user:secret@images.example.com/1',
    'https://images.example.com:25/1',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    '//169.254.169.254/1',
  ])('a redirect to %s is refused', async (location) => {
    const error = await failure('https://images.example.com/', { answer: redirectTo(location) });
    expect(error.slug).toBe('unsafe_image_ref');
    expect(connections).toHaveLength(1);
  });

  test.for([
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/svg+xml,<svg/>',
    'data:text/html,<b>x</b>',
    'data:,x',
    'data:;base64,AAAA',
    'data:image/tiff;base64,AAAA',
    'data:image/png/x;base64,AAAA',
    'data:application/octet-stream;base64,AAAA',
    'data:',
  ])('a data: URI of another type is refused: %s', async (src) => {
    expect((await failure(src)).slug).toBe('unsafe_image_ref');
  });
});

describe('spec_invalid', () => {
  test('a host without an address', async () => {
    const error = await failure('https://images.example.com/', { network: networkOf([]) });
    expect(error).toMatchObject({ slug: 'spec_invalid', message: 'the host of an image could not be found' });
  });

  test('a host whose addresses cannot be reached', async () => {
    const network = { ...networkOf(), open: () => connect(1, '127.0.0.1') };
    const error = await failure('https://images.example.com/', { network });
    expect(error).toMatchObject({
      slug: 'spec_invalid',
      message: 'the host of an image could not be reached',
    });
  });

  test('a certificate of another host', async () => {
    expect((await failure('https://wrong.example.com/')).slug).toBe('spec_invalid');
    expect(requests).toEqual([]);
  });

  test('a certificate that nobody vouches for', async () => {
    expect(
      (await failure('https://images.example.com/', { ca: selfSigned('x.example.com').cert })).slug,
    ).toBe('spec_invalid');
    expect(requests).toEqual([]);
  });

  test('a fourth redirect', async () => {
    const error = await failure('https://images.example.com/', {
      answer: redirectTo('/1', '/2', '/3', '/4'),
    });
    expect(error.slug).toBe('spec_invalid');
    expect(requests).toHaveLength(4);
  });

  test('a redirect that leads nowhere', async () => {
    const answer: RequestListener = (_, res) => res.writeHead(301).end();
    expect((await failure('https://images.example.com/', { answer })).slug).toBe('spec_invalid');
  });

  test.for([201, 204, 206, 304, 403, 404, 500])('an answer of status %i', async (status) => {
    const answer: RequestListener = (_, res) => res.writeHead(status).end(status === 204 ? undefined : png);
    expect((await failure('https://images.example.com/', { answer })).slug).toBe('spec_invalid');
  });

  test.for([
    ['HTML', '<html></html>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ['nothing', ''],
    ['a truncated PNG', undefined],
  ] as const)('an answer of %s', async ([, body]) => {
    const answer: RequestListener = (_, res) =>
      res.writeHead(200, { 'content-type': 'image/png' }).end(body ?? png.subarray(0, png.length - 20));
    expect((await failure('https://images.example.com/', { answer })).slug).toBe('spec_invalid');
  });

  test('a compressed answer, which is never unpacked', async () => {
    const bomb = gzipSync(Buffer.concat([png, Buffer.alloc(50_000_000)]));
    const answer: RequestListener = (_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect((await failure('https://images.example.com/', { answer })).message).toBe(
      'an image is not a PNG, JPEG, GIF or WebP file',
    );
  });

  test('a declared length over 5 MB, before the body is read', async () => {
    const answer: RequestListener = (_, res) => {
      res.writeHead(200, { 'content-length': limits.image.bytes + 1 }).flushHeaders();
    };
    expect((await failure('https://images.example.com/', { answer })).message).toBe(
      'an image may have at most 5 MB',
    );
  });

  test('a body without end, which is cut off at 5 MB', async () => {
    let closed: Promise<unknown> | undefined;
    const answer: RequestListener = (_, res) => {
      closed = once(res, 'close');
      const block = Buffer.alloc(65_536);
      const write = () => {
        while (!res.destroyed && res.write(block));
      };
      res.writeHead(200).on('drain', write).write(png);
      write();
    };
    expect((await failure('https://images.example.com/', { answer })).message).toBe(
      'an image may have at most 5 MB',
    );
    await closed;
  });

  test('a body of exactly 5 MB is read, and one byte more is not', async () => {
    const padded = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);
    const answerOf =
      (bytes: number): RequestListener =>
      (_, res) => {
        res.write('');
        res.end(padded(bytes));
      };
    expect(
      await resolve('https://images.example.com/', { answer: answerOf(limits.image.bytes) }),
    ).toMatchObject({
      kind: 'png',
    });
    expect(
      (await failure('https://images.example.com/', { answer: answerOf(limits.image.bytes + 1) })).slug,
    ).toBe('spec_invalid');
  });

  test('a body that ends too early', async () => {
    const answer: RequestListener = (_, res) => {
      res.writeHead(200, { 'content-length': png.length });
      res.write(png.subarray(0, 20), () => res.destroy());
    };
    expect((await failure('https://images.example.com/', { answer })).message).toBe(
      'an image could not be fetched',
    );
  });

  test.for([
    ['a server that never answers', () => undefined],
    [
      'a slow drip',
      (res: Parameters<RequestListener>[1]) => {
        res.writeHead(200);
        const drip = setInterval(() => res.write(png.subarray(0, 1)), 10);
        res.on('close', () => clearInterval(drip));
      },
    ],
    [
      'endless informational answers',
      (res: Parameters<RequestListener>[1]) => {
        const drip = setInterval(() => res.writeProcessing(), 10);
        res.on('close', () => clearInterval(drip));
      },
    ],
  ] as const)('%s, ended by the deadline of the whole fetch', async ([, serve]) => {
    const error = await failure('https://images.example.com/', {
      answer: (_, res) => serve(res),
      fetchTimeoutMs: 250,
    });
    expect(error).toMatchObject({
      slug: 'spec_invalid',
      message: 'an image could not be fetched within 0.25 s',
    });
  });

  test('redirects share one deadline with the rest', async () => {
    const answer: RequestListener = (req, res) => {
      if (req.url === '/') res.writeHead(302, { location: '/1' }).end();
    };
    expect((await failure('https://images.example.com/', { answer, fetchTimeoutMs: 250 })).message).toContain(
      'within',
    );
    expect(requests).toHaveLength(2);
  });

  test.for([
    ['a name server that says nothing', { lookup: () => new Promise<never>(() => undefined) }],
    ['a server that says nothing in TLS', { open: () => new Socket() }],
  ] as const)('%s', async ([, network]) => {
    const error = await failure('https://images.example.com/', {
      network: { ...networkOf(), ...network },
      fetchTimeoutMs: 250,
    });
    expect(error.message).toBe('an image could not be fetched within 0.25 s');
  });

  test.for([
    ['data:image/png;base64,!!!!', 'the data: URI of an image is not valid base64'],
    ['data:image/png;base64,AAAAA', 'the data: URI of an image is not valid base64'],
    ['data:image/png;base64', 'the data: URI of an image has no data'],
    ['data:image/png;base64,', 'an image is not a PNG, JPEG, GIF or WebP file'],
    ['data:image/png;base64,PHN2Zy8+', 'an image is not a PNG, JPEG, GIF or WebP file'],
    [`data:image/png,${'x'.repeat(limits.image.bytes + 1)}`, 'an image may have at most 5 MB'],
  ] as const)('a data: URI without a usable picture (%#)', async ([src, message]) => {
    expect(await failure(src)).toMatchObject({ slug: 'spec_invalid', message });
  });
});

describe('data: URIs', () => {
  test('any spelling that RFC 2397 allows gives the picture, without a connection', async () => {
    const base64 = png.toString('base64');
    const percent = [...png].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    for (const src of [
      `data:image/png;base64,${base64}`,
      `DATA:IMAGE/PNG;BASE64,${base64}`,
      ` data:image/png;name=x;base64,${base64}\n`,
      `data:image/jpeg;base64,${base64}`,
      `data:image/jpg;base64,${base64.replace(/=/g, '')}`,
      `data:image/webp;base64,${base64.replace(/(.{20})/g, '$1\r\n')}`,
      `data:image/png;base64,${base64.replace(/\+/g, '%2B').replace(/=/g, '%3D')}`,
      `data:image/png,${percent}`,
    ]) {
      expect(await resolve(src)).toMatchObject({ kind: 'png', width: 3, height: 2 });
    }
    expect(connections).toEqual([]);
  });
});

describe('a caller that gives up', () => {
  test('gets its own reason, and the connection is closed', async () => {
    const reason = new Error('gone');
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const pending = resolve('https://images.example.com/', {
      signal: controller.signal,
      answer: (_, res) => {
        res.on('close', () => closed.resolve());
        controller.abort(reason);
      },
    });
    await expect(pending).rejects.toBe(reason);
    await closed.promise;
  });

  test('before the start makes no connection', async () => {
    const reason = new Error('gone');
    await expect(resolve('https://images.example.com/', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(connections).toEqual([]);
  });
});

test('fetches run side by side, but no more than 64 of them', async () => {
  answer = (_, res) => {
    held.push(res);
    if (held.length === 64) release();
  };
  const held: Parameters<RequestListener>[1][] = [];
  const counts: number[] = [];
  const release = () => {
    counts.push(connections.length);
    answer = (_, res) => res.end(png);
    for (const res of held) res.end(png);
  };
  requests = [];
  sniNames = [];
  connections = [];
  const source = createImageSource({ network: networkOf(), ca: certificate.cert });
  const urls = Array.from({ length: 80 }, (_, index) => `https://images.example.com/${index}.png`);
  const pending = urls.map((url) => source.resolve(url));
  await expect.poll(() => counts).toEqual([64]);
  await Promise.all(pending);
  expect(connections).toHaveLength(80);
});
