import { connect as connectHttp2 } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { startServer } from './canned-services.ts';
import { head, sendRaw } from './raw-socket.ts';

const key = 'Authorization: Bearer good';
let server: HttpServer;
let port: number;

beforeAll(async () => {
  const started = await startServer({
    limits: {
      bodyBytes: 1000,
      headersTimeoutMs: 300,
      requestTimeoutMs: 300,
      connectionsCheckingIntervalMs: 20,
    },
  });
  server = started.server;
  port = started.port;
});
afterAll(() => server.close(0));

async function expectAlive(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/health`, {
    headers: { authorization: 'Bearer good' },
  });
  expect(response.status).toBe(200);
}

describe('a strange request gets a clean answer or a closed socket, and the process lives', () => {
  const rpc = 'POST /service.health.v1.HealthService/GetHealth';
  test.for([
    ['HTTP/1.0 without Host, REST', head('GET /v1/health HTTP/1.0', key), 200],
    [
      'HTTP/1.0 without Host, Connect',
      `${head(`${rpc} HTTP/1.0`, key, 'Content-Type: application/json', 'Content-Length: 2')}{}`,
      200,
    ],
    ['HTTP/1.1 without Host', head('GET /v1/health HTTP/1.1', key), 400],
    ['two Hosts', head('GET /v1/health HTTP/1.1', 'Host: a', 'Host: b', key, 'Connection: close'), 200],
    ['Host: [, REST', head('GET /v1/health HTTP/1.1', 'Host: [', key, 'Connection: close'), 200],
    [
      'Host: [, Connect',
      `${head(`${rpc} HTTP/1.1`, 'Host: [', key, 'Connection: close', 'Content-Type: application/json', 'Content-Length: 2')}{}`,
      200,
    ],
    ['no HTTP at all', 'hello there\r\n\r\n', 400],
    ['a TLS handshake', Buffer.from('16030100', 'hex'), 400],
    ['half a preface', 'PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n', 400],
    [
      'two lengths',
      head('POST /v1/chat HTTP/1.1', 'Host: a', key, 'Content-Length: 2', 'Content-Length: 3'),
      400,
    ],
    [
      'length and chunks',
      head('POST /v1/chat HTTP/1.1', 'Host: a', key, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['a negative length', head('POST /v1/chat HTTP/1.1', 'Host: a', key, 'Content-Length: -1'), 400],
    [
      'a chunk size that is none',
      `${head('POST /v1/chat HTTP/1.1', 'Host: a', key, 'Transfer-Encoding: chunked')}zz\r\n`,
      400,
    ],
    ['a folded header', head('GET /v1/health HTTP/1.1', 'Host: a', 'X-A: b\r\n c', key), 400],
    ['a header with a zero byte', head('GET /v1/health HTTP/1.1', 'Host: a', 'X-A: b\0c', key), 400],
    ['a header name with a space', head('GET /v1/health HTTP/1.1', 'Host: a', 'X A: b', key), 400],
    ['a header of 20 KB', head('GET /v1/health HTTP/1.1', 'Host: a', `X-A: ${'b'.repeat(20_000)}`, key), 400],
    [
      'an absolute target',
      head('GET http://other.example/v1/health HTTP/1.1', 'Host: a', key, 'Connection: close'),
      200,
    ],
    ['the target *', head('OPTIONS * HTTP/1.1', 'Host: a', 'Connection: close'), 404],
    ['a target with two slashes', head('GET //v1/health HTTP/1.1', 'Host: a', key, 'Connection: close'), 404],
    [
      'broken percent-encoding',
      head('GET /v1/conversations/%zz HTTP/1.1', 'Host: a', key, 'Connection: close'),
      400,
    ],
    [
      'broken percent-encoding in no variable',
      head('GET /v1/%zz HTTP/1.1', 'Host: a', key, 'Connection: close'),
      404,
    ],
    ['dots in the path', head('GET /v1/../v1/health HTTP/1.1', 'Host: a', key, 'Connection: close'), 404],
    [
      'an unknown expectation, which is passed over',
      head('GET /v1/health HTTP/1.1', 'Host: a', key, 'Expect: wonders', 'Connection: close'),
      200,
    ],
    ['a method of its own', head('BREW /v1/chat HTTP/1.1', 'Host: a', key), 400],
    ['TRACE', head('TRACE /v1/health HTTP/1.1', 'Host: a', key, 'Connection: close'), 404],
    [
      'an upgrade to h2c',
      head(
        'GET /v1/health HTTP/1.1',
        'Host: a',
        key,
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ),
      200,
    ],
    [
      'gRPC over HTTP/1.1 to nowhere',
      head(
        'POST /a.B/C HTTP/1.1',
        'Host: a',
        'Content-Type: application/grpc',
        'Content-Length: 0',
        'Connection: close',
      ),
      200,
    ],
  ] as const)('%s', async ([, bytes, status]) => {
    const { statuses } = await sendRaw(port, bytes);
    expect(statuses).toEqual([status]);
    await expectAlive();
  });

  test('headers that are too large are said to be', async () => {
    const { text } = await sendRaw(port, head('GET / HTTP/1.1', 'Host: a', `X-A: ${'b'.repeat(20_000)}`));
    expect(text).toContain('"detail":"The request line and the headers are larger than 16384 bytes."');
  });

  test('CONNECT', async () => {
    const { statuses } = await sendRaw(port, head('CONNECT a:1 HTTP/1.1', 'Host: a'));
    expect(statuses).toEqual([]);
    await expectAlive();
  });

  test('a body that ends early ends the call', async () => {
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end(`${head('POST /v1/chat HTTP/1.1', 'Host: a', key, 'Content-Length: 100')}{"mess`);
    socket.resume();
    await closed;
    await expectAlive();
  });

  test('two requests in one packet are answered in order', async () => {
    const one = head('GET /v1/nothing HTTP/1.1', 'Host: a');
    const two = head('GET /v1/health HTTP/1.1', 'Host: a', key, 'Connection: close');
    expect((await sendRaw(port, one + two)).statuses).toEqual([404, 200]);
  });

  test.for([
    ['what is no HTTP', 'hello there\r\n\r\n'],
    ['HTTP/1.1 without Host', head('GET /v1/health HTTP/1.1', key)],
  ] as const)('%s is refused with a whole problem document', async ([, bytes]) => {
    const { text } = await sendRaw(port, bytes);
    expect(text).toMatch(/^content-type: application\/problem\+json\r$/im);
    const problem = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
    expect(problem).toMatchObject({
      type: expect.stringMatching(/^https?:.*\/errors\/invalid_request$/),
      status: 400,
    });
    expect(text.toLowerCase()).toContain(`x-request-id: ${problem.request_id}\r\n`);
  });
});

describe('a slow client is cut off', () => {
  test('before its first byte', async () => {
    expect((await sendRaw(port, '')).text).toBe('');
  });

  test('in its preface', async () => {
    expect((await sendRaw(port, 'PRI * HTTP')).text).toBe('');
  });

  test('in its headers', async () => {
    expect((await sendRaw(port, 'GET /v1/health HTTP/1.1\r\nHost: a\r\n')).statuses).toEqual([408]);
  });

  test('in its body, over HTTP/1', async () => {
    const request = `${head('POST /v1/chat HTTP/1.1', 'Host: a', key, 'Content-Length: 100')}{`;
    expect((await sendRaw(port, request)).statuses).toEqual([
      expect.toSatisfy((status) => [400, 408].includes(status)),
    ]);
  });

  test('in its body, over HTTP/2', async () => {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat', authorization: 'Bearer good' });
    stream.write('{');
    const status = await new Promise((resolve) =>
      stream.on('response', (headers) => resolve(headers[':status'])),
    );
    expect(status).toBe(400);
    session.destroy();
  });
});

describe('a body over the limit', () => {
  const tooLong = 'Content-Length: 100000000';
  test('is refused by its declared length, without being asked for', async () => {
    const request = head('POST /v1/chat HTTP/1.1', 'Host: a', key, tooLong, 'Expect: 100-continue');
    const { statuses } = await sendRaw(port, request);
    expect(statuses).toEqual([413]);
  });

  test('is refused while its chunks arrive', async () => {
    const chunk = `1f4\r\n${'x'.repeat(500)}\r\n`;
    const request =
      head('POST /v1/chat HTTP/1.1', 'Host: a', key, 'Transfer-Encoding: chunked') + chunk.repeat(3);
    const { statuses, text } = await sendRaw(port, request);
    expect(statuses).toEqual([413]);
    expect(text).toContain('payload_too_large');
  });

  test('is not looked at when the key is wrong', async () => {
    const request = head('POST /v1/chat HTTP/1.1', 'Host: a', tooLong, 'Expect: 100-continue');
    expect((await sendRaw(port, request)).statuses).toEqual([401]);
  });

  test('that is just within it is asked for and read', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(1000 - 14) });
    expect(body.length).toBe(1000);
    const request = head(
      'POST /v1/chat HTTP/1.1',
      'Host: a',
      key,
      'Content-Length: 1000',
      'Expect: 100-continue',
    );
    const { statuses } = await sendRaw(port, request + body, /HTTP\/1\.1 200/);
    expect(statuses).toEqual([100, 200]);
  });

  test('reaches a client that sends on without listening', async () => {
    const body = Buffer.alloc(3_000_000, 'x');
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat`, {
      method: 'POST',
      headers: { authorization: 'Bearer good' },
      body,
    });
    expect(response.status).toBe(413);
  });

  test.for(['/v1/chat', '/service.chat.v1.ChatService/Chat'])(
    'is refused over HTTP/2 at %s',
    async (path) => {
      const session = connectHttp2(`http://127.0.0.1:${port}`);
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        authorization: 'Bearer good',
        'content-type': 'application/json',
      });
      stream.on('error', () => undefined);
      stream.end(Buffer.alloc(300_000, 'x'));
      const status = await new Promise((resolve) =>
        stream.on('response', (headers) => resolve(headers[':status'])),
      );
      expect(status).toBe(path.startsWith('/v1') ? 413 : 429);
      session.destroy();
      await expectAlive();
    },
  );
});

describe('JSON of ill will', () => {
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${port}/v1/chat`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
      body,
    });

  test('a prototype in the body changes no object', async () => {
    expect((await post('{"message":"a","__proto__":{"polluted":1}}')).status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('of a name twice, the last counts', async () => {
    expect(await (await post('{"message":"a","message":"b"}')).json()).toMatchObject({ content: 'b' });
  });

  test.for(['{"message":"a"', '', '{"message":"\ud800"', '\u0000', '{"messages":'.concat('['.repeat(400))])(
    'what cannot be read is 400: %j',
    async (body) => {
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toMatch(/position|token|unexpected/i);
    },
  );

  test('bytes that are no UTF-8 are 400', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
      body: Buffer.from('7b226d657373616765223a22ff227d', 'hex'),
    });
    expect(response.status).toBe(400);
  });

  test('nesting without an end is a violation', async () => {
    const args = `${'{"a":'.repeat(150)}1${'}'.repeat(150)}`;
    const response = await fetch(`http://127.0.0.1:${port}/v1/excel`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
      body: `{"columns":["a"],"rows":[${args}]}`.slice(0, 1000),
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ title: 'excel: rows[0] is nested too deeply' });
  });
});

describe('HTTP/2', () => {
  test('is recognised when its preface comes byte by byte', async () => {
    const proxy = createServer((incoming: Socket) => {
      const outgoing = connect(port, '127.0.0.1');
      outgoing.setNoDelay(true);
      outgoing.pipe(incoming);
      incoming.on('error', () => undefined);
      outgoing.on('error', () => undefined);
      incoming.on('data', async (chunk: Buffer) => {
        incoming.pause();
        for (const byte of chunk.subarray(0, 30)) await writeAlone(outgoing, Buffer.from([byte]));
        outgoing.write(chunk.subarray(30));
        incoming.resume();
      });
      incoming.on('close', () => outgoing.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const session = connectHttp2(`http://127.0.0.1:${(proxy.address() as { port: number }).port}`);
    const stream = session.request({ ':path': '/v1/health', authorization: 'Bearer good' });
    const status = await new Promise((resolve) =>
      stream.on('response', (headers) => resolve(headers[':status'])),
    );
    expect(status).toBe(200);
    session.destroy();
    proxy.close();
  });

  test('of an unknown gRPC method ends in UNIMPLEMENTED, with trailers only', async () => {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/service.health.v1.HealthService/Nothing',
      'content-type': 'application/grpc+proto',
      te: 'trailers',
    });
    stream.end(Buffer.from([0, 0, 0, 0, 0]));
    const headers = await new Promise<Record<string, unknown>>((resolve) => stream.on('response', resolve));
    expect(headers).toMatchObject({
      ':status': 200,
      'content-type': 'application/grpc+proto',
      'grpc-status': '12',
    });
    session.destroy();
  });
});

/** Waits until a byte is on the wire, so that the next one comes in a packet of its own. */
function writeAlone(socket: Socket, byte: Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(byte, () => setImmediate(resolve)));
}
