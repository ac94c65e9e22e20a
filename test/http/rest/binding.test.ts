import { create } from '@bufbuild/protobuf';
import type { ConnectRouter } from '@connectrpc/connect';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpBodySchema } from '../../../gen/google/api/httpbody_pb.ts';
import type { HttpServer } from '../../../src/http/server.ts';
import { startServer } from '../canned-services.ts';
import { EverythingService } from './everything.ts';

let server: HttpServer;
let base: string;

beforeAll(async () => {
  const routes = (router: ConnectRouter) =>
    router.service(EverythingService, {
      echo: (message: never) => message,
      echoBytes: ({ contentType, data }: { contentType: string; data: Uint8Array }) =>
        create(HttpBodySchema, { contentType, data: data.slice().reverse() }),
      async *watch(message: never) {
        yield message;
      },
    } as never);
  const started = await startServer({ routes });
  server = started.server;
  base = `http://127.0.0.1:${started.port}`;
});
afterAll(() => server.close(0));

// biome-ignore lint/suspicious/noExplicitAny: the answer is plain JSON of many shapes
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: json };
  return (await fetch(base + path, init)).json();
}
const json = { 'content-type': 'application/json' };

describe('the query', () => {
  test.for([
    ['text=a%20b+c', { text: 'a b c' }],
    ['texts=a&texts=b', { texts: ['a', 'b'] }],
    ['texts=', { texts: [''] }],
    [
      'i32=-5&u32=7&number=1.5e3&flag=true&i64=-9223372036854775808',
      { i32: -5, u32: 7, number: 1500, flag: true },
    ],
    ['color=deepBlue&colors=red&colors=deepBlue', { color: 'deepBlue', colors: ['red', 'deepBlue'] }],
    ['inner.text=a&inner.inner.i32=3', { inner: { text: 'a', inner: { i32: 3 } } }],
    ['maybe_text=a', { maybeText: 'a' }],
    ['maybeText=a', { maybeText: 'a' }],
    ['choice_inner.text=a', { choiceInner: { text: 'a' } }],
    ['at=2026-01-02T03:04:05Z', { at: '2026-01-02T03:04:05.000Z' }],
    ['at=2026-01-02T05:04:05%2B02:00', { at: '2026-01-02T03:04:05.000Z' }],
    ['at=2026-01-02T05:04:05+02:00', { at: '2026-01-02T03:04:05.000Z' }],
    ['duration=2s&mask=a,b', { duration: '2s', mask: 'a,b' }],
    ['wrapped_text=a&wrapped_i64=5&wrapped_list=x', { wrappedText: 'a', wrappedI64: 5, wrappedList: ['x'] }],
    ['value=a', { value: 'a' }],
    ['text=a&text=b', { text: 'b' }],
    ['nothing=1&inner.nothing=2&text.x=3&object.a=1&counts.a=1&innerList.text=1&__proto__=1', { text: '' }],
  ] as const)('%s', async ([query, expected]) => {
    expect(await call('GET', `/echo?${query}`)).toMatchObject(expected);
  });

  test.for([
    ['i32=x', '/i32', 'must be an integer'],
    ['i32=', '/i32', 'must be an integer'],
    ['i32=1.5', '/i32', 'must be an integer'],
    ['flag=yes', '/flag', 'must be true or false'],
    ['color=pink', '/color', 'must be one of red, deepBlue'],
    ['at=today', '/at', 'must be an ISO 8601 date and time with an offset'],
    ['colors=red&colors=pink', '/colors/1', 'must be one of red, deepBlue'],
  ])('%s is refused at %s: %s', async ([query, pointer, detail]) => {
    expect(await call('GET', `/echo?${query}`)).toMatchObject({ status: 400, errors: [{ pointer, detail }] });
  });

  test('binds any text, however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), async (text, texts) => {
        const query = new URLSearchParams([['text', text], ...texts.map((each) => ['texts', each])]);
        expect(await call('GET', `/echo?${query}`)).toMatchObject({ text: text.toWellFormed(), texts });
      }),
      { numRuns: 50 },
    );
  });

  test('counts for nothing beside a body that is the whole message', async () => {
    expect(await call('POST', '/echo?text=query', { i32: 1 })).toMatchObject({ text: '', i32: 1 });
  });
});

describe('a binding with path variables of nested fields and one field as the body', () => {
  test('puts each where it belongs, and the rest of the query around them', async () => {
    const path = '/echo/a%2Fb/deep/c%2Fd/e?text=q&inner.maybeText=no&inner.maybe_text=no&inner.text=i';
    expect(await call('PUT', path, [{ text: 'x' }])).toMatchObject({
      text: 'q',
      inner: { text: 'i', maybeText: 'a/b', inner: { text: 'deep/c%2Fd/e' } },
      innerList: [{ text: 'x' }],
    });
  });

  test('points into the body', async () => {
    expect(await call('PUT', '/echo/a/deep/b', [{ i32: 'x' }])).toMatchObject({
      errors: [{ pointer: '/0/i32', detail: 'must be an integer' }],
    });
  });
});

describe('an answer', () => {
  test('is one field of the message where the rule says so', async () => {
    expect(await call('PATCH', '/echo/list', { innerList: [{ text: 'a' }] })).toMatchObject([{ text: 'a' }]);
  });

  test('is there for every method of a custom rule', async () => {
    expect(await call('DELETE', '/echo/any?text=a')).toMatchObject({ text: 'a' });
  });

  test('to HEAD has the head of GET and no body', async () => {
    const response = await fetch(`${base}/echo?text=a`, { method: 'HEAD' });
    const { headers } = await fetch(`${base}/echo?text=a`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(headers.get('content-length'));
    expect(await response.text()).toBe('');
  });

  test('of bytes goes out as it is, with its own type', async () => {
    const body = Buffer.from([1, 2, 255]);
    const response = await fetch(`${base}/bytes`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'image/x' },
    });
    expect(response.headers.get('content-type')).toBe('image/x');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([255, 2, 1]));
  });

  test('of a stream is events, whatever is accepted', async () => {
    const response = await fetch(`${base}/watch?text=a`, { headers: { accept: 'application/json' } });
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    expect(await response.text()).toMatch(/^data: \{"text":"a",.*\}\n\n$/);
  });

  test('to HEAD of a stream has the head alone', async () => {
    const response = await fetch(`${base}/watch`, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
  });
});

describe('the content type of a JSON body', () => {
  test.for([
    [undefined, 200],
    ['application/json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['application/json; charset=latin1', 400],
    ['text/plain', 400],
    ['application/jsonx', 400],
  ] as const)('%s: %i', async ([type, status]) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const response = await fetch(`${base}/echo`, { method: 'POST', body: Buffer.from('{}'), headers });
    expect(response.status).toBe(status);
  });
});

describe('the content encoding of a body', () => {
  const send = (path: string, encoding: string) =>
    fetch(base + path, {
      method: 'POST',
      body: Buffer.from('{}'),
      headers: { 'content-encoding': encoding },
    });

  test.for(['gzip', 'br', 'identity, gzip'])('%s of JSON is refused by its name', async (encoding) => {
    const response = await send('/echo', encoding);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: 'The body must not be compressed: Content-Encoding is not supported.',
    });
  });

  test.for(['identity', 'Identity '])('%s is none', async (encoding) => {
    expect((await send('/echo', encoding)).status).toBe(200);
  });

  test('of plain bytes is left to who reads them', async () => {
    expect(await (await send('/bytes', 'gzip')).text()).toBe('}{');
  });
});
