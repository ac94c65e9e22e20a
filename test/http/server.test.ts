import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { startServer } from './canned-services.ts';

const key = { authorization: 'Bearer good' };
let server: HttpServer;
let base: string;

beforeAll(async () => {
  const started = await startServer({ limits: { bodyBytes: 4096 } });
  server = started.server;
  base = `http://127.0.0.1:${started.port}`;
});
afterAll(() => server.close(0));

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(base + path, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('a unary call over REST', () => {
  test('answers every field of the message, integers exact, times in UTC with milliseconds', async () => {
    const response = await fetch(`${base}/v1/health`, { headers: key });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-service-api-key-id')).toBe('k1');
    expect(await response.text()).toBe(
      '{"status":"ok","key":{"rate_limit_per_hour":1000,"monthly_token_budget":9007199254740993},' +
        '"budget":{"used":5,"limit":null,"remaining":null,"cycle_started_at":"2026-01-02T03:04:05.678Z"},' +
        '"timestamp":"2026-01-02T03:04:05.678Z","allowed_models":["demo"]}',
    );
  });

  test('binds path variables, and answers 204 without a body where the proto says so', async () => {
    const read = await fetch(`${base}/v1/conversations/a%2Fb:c`, { headers: key });
    expect(await read.json()).toMatchObject({ id: 'a/b:c', messages: [], updated_at: null });
    const deleted = await fetch(`${base}/v1/conversations/x`, { method: 'DELETE', headers: key });
    expect(deleted.status).toBe(204);
    expect(deleted.headers.get('content-length')).toBeNull();
  });

  test('carries the headers of the gate and the extra fields of the error on a failure', async () => {
    const response = await post('/v1/chat', { message: 'fail' }, { 'x-request-id': 'abc' });
    expect(response.status).toBe(403);
    expect(response.headers.get('x-service-api-key-id')).toBe('k1');
    expect(response.headers.get('x-request-id')).toBe('abc');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: 'https://errors.example/errors/model_not_allowed',
      title: 'The model is not allowed',
      status: 403,
      detail: 'No such model.',
      request_id: 'abc',
      requested_model: 'x',
      allowed_models: ['demo'],
    });
  });

  test('hides what is private in an unexpected failure', async () => {
    const response = await post('/v1/chat', { message: 'break' });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).toContain('internal_error');
    expect(text).not.toContain('private');
  });
});

describe('the gate', () => {
  test('refuses before the body is looked at', async () => {
    const response = await post('/v1/chat', '{"broken', { authorization: 'Bearer bad' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('is not asked about paths that do not exist', async () => {
    const response = await fetch(`${base}/v1/nothing`);
    expect(response.status).toBe(404);
    expect((await response.json()).type).toBe('https://errors.example/errors/not_found');
  });

  test('a known path with another method is not found, and tells its methods', async () => {
    const response = await fetch(`${base}/v1/conversations/x`, { method: 'PATCH' });
    expect(response.status).toBe(404);
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD');
  });
});

describe('the throttle of addresses', () => {
  test('is asked about what under /v1 is called without a key; the gate counts the rest', async () => {
    const addresses: string[] = [];
    const counting = await startServer({
      throttle: async (address) => {
        addresses.push(address);
        if (addresses.length > 3) throw new ServiceError('ip_rate_limit_exceeded', { retryAfterSeconds: 9 });
      },
    });
    const ask = async (method: string, path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${counting.port}${path}`, { method })).status;
    try {
      expect(await ask('GET', '/v1/health')).toBe(401);
      expect(await ask('GET', '/errors/not_found')).toBe(200);
      expect(await ask('GET', '/elsewhere')).toBe(404);
      expect(addresses).toEqual([]);
      expect(await ask('GET', '/v1/nowhere')).toBe(404);
      expect(await ask('DELETE', '/v1/health')).toBe(404);
      expect(await ask('GET', '/v1')).toBe(404);
      expect(await ask('GET', '/v1/nowhere')).toBe(429);
      expect(addresses).toEqual(Array.from({ length: 4 }, () => '127.0.0.1'));
    } finally {
      await counting.server.close(0);
    }
  });
});

describe('a document engine', () => {
  test('answers its chunks as one file', async () => {
    const response = await post('/v1/excel', { columns: ['a'], rows: [] });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/test');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.xlsx"');
    expect(response.headers.get('content-length')).toBe('17');
    expect(await response.text()).toBe('part one,part two');
  });

  test.for([
    [{ rows: [] }, 'excel: columns must be a non-empty array', '/columns'],
    [{ columns: [], rows: [] }, 'excel: columns must be a non-empty array', '/columns'],
    [{ columns: ['a'] }, 'excel: rows must be an array', '/rows'],
    [{ columns: ['a'], rows: {} }, 'excel: rows must be an array', '/rows'],
    [
      { columns: [{ header: 1 }], rows: [] },
      'excel: columns[0].header must be a string',
      '/columns/0/header',
    ],
    [
      { columns: [{ header: 'a', width: 256 }], rows: [] },
      'excel: columns[0].width must be from 1 to 255',
      '/columns/0/width',
    ],
  ] as const)('names itself and the reason: %j', async ([body, title, pointer]) => {
    const response = await post('/v1/excel', body);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ title, errors: [{ pointer }] });
  });

  test.for(['[]', '3', 'null', '"x"', '{"columns":', ''])(
    'a body that is no object is 400: %s',
    async (body) => {
      const response = await post('/v1/excel', body);
      expect(response.status).toBe(400);
      expect((await response.json()).type).toMatch(/invalid_request$/);
    },
  );
});

describe('a stream over REST', () => {
  test.for([
    ['A', '/columns/0'],
    [{ header: 'A' }, '/columns/0/header'],
  ] as const)('a field at fault is pointed at in the form that was sent: %j', async ([column, pointer]) => {
    const response = await post('/v1/excel', { title: 'odd', columns: [column], rows: [] });
    expect(await response.json()).toMatchObject({ errors: [{ pointer }] });
  });

  test('is chosen by Accept, and every event is one data line', async () => {
    const response = await post('/v1/chat', { message: 'one two' }, { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-canned')).toBe('yes');
    expect(response.headers.get('x-service-api-key-id')).toBe('k1');
    expect(await response.text()).toBe(
      [
        'data: {"type":"meta","conversation_id":"c1","model":"demo"}',
        'data: {"type":"content","content":"one"}',
        'data: {"type":"content","content":"two"}',
        'data: {"type":"done","conversation_id":"c1","model":"demo","finish_reason":"stop"}',
        '',
      ].join('\n\n'),
    );
  });

  test('that fails before its first event answers a problem document', async () => {
    const response = await post('/v1/chat', { message: 'fail' }, { accept: 'text/event-stream' });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test('that fails later ends with an error event that hides what is private', async () => {
    const response = await post('/v1/chat', { message: 'one break' }, { accept: 'text/event-stream' });
    const events = (await response.text()).trim().split('\n\n');
    expect(events.at(-1)).toBe(
      'data: {"type":"error","error":"Something went wrong","code":"internal_error"}',
    );
  });

  test('points into the body that the caller sent', async () => {
    const body = { messages: [{ role: 'user', content: 'a' }], conversation_id: 'no-uuid' };
    const response = await post('/v1/chat', body, { accept: 'text/event-stream' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: 'conversation_id must be a UUID.',
      errors: [{ pointer: '/conversation_id', detail: 'must be a UUID' }],
    });
  });
});
