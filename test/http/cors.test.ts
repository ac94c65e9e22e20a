import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { startServer } from './canned-services.ts';
import { head, sendRaw } from './raw-socket.ts';

let anyOrigin: { server: HttpServer; port: number };
let oneOrigin: { server: HttpServer; port: number };
let throttled = 0;

beforeAll(async () => {
  anyOrigin = await startServer({
    throttle: async () => {
      throttled++;
    },
  });
  oneOrigin = await startServer({ corsOrigins: ['https://app.example'] });
});
afterAll(() => Promise.all([anyOrigin.server.close(0), oneOrigin.server.close(0)]));

async function ask(port: number, ...lines: string[]): Promise<string> {
  const { text } = await sendRaw(port, head(...lines, 'Host: a', 'Connection: close'));
  return text.toLowerCase();
}

describe('cross-origin requests', () => {
  test('a preflight is answered without a key and without counting', async () => {
    const before = throttled;
    const text = await ask(
      anyOrigin.port,
      'OPTIONS /v1/chat HTTP/1.1',
      'Origin: https://a.example',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization, idempotency-key',
    );
    expect(text).toMatch(/^http\/1\.1 204/);
    expect(text).toContain('access-control-allow-origin: *');
    expect(text).toContain('access-control-allow-methods: get, head, post, put, patch, delete');
    expect(text).toContain('access-control-allow-headers: authorization, idempotency-key');
    expect(text).not.toContain('access-control-allow-credentials');
    expect(throttled).toBe(before);
  });

  test('an answer, a failure too, exposes its headers to scripts', async () => {
    const text = await ask(anyOrigin.port, 'GET /v1/health HTTP/1.1', 'Origin: https://a.example');
    expect(text).toMatch(/^http\/1\.1 401/);
    expect(text).toContain('access-control-allow-origin: *');
    for (const name of [
      'x-service-budget-used',
      'retry-after',
      'content-disposition',
      'x-service-file-id',
      'grpc-status',
    ]) {
      expect(text).toMatch(new RegExp(`access-control-expose-headers: .*${name}`));
    }
  });

  test('without an origin there is nothing to say', async () => {
    expect(await ask(anyOrigin.port, 'GET /v1/health HTTP/1.1')).not.toContain('access-control');
  });

  test('one origin of a list is allowed by name, another is not', async () => {
    const allowed = await ask(oneOrigin.port, 'GET /v1/health HTTP/1.1', 'Origin: https://app.example');
    expect(allowed).toContain('access-control-allow-origin: https://app.example');
    expect(allowed).toContain('vary: origin');
    const other = await ask(oneOrigin.port, 'GET /v1/health HTTP/1.1', 'Origin: https://evil.example');
    expect(other).not.toContain('access-control-allow-origin');
    expect(other).toContain('vary: origin');
  });

  test('OPTIONS that is no preflight finds no route', async () => {
    expect(await ask(anyOrigin.port, 'OPTIONS /v1/chat HTTP/1.1')).toMatch(/^http\/1\.1 404/);
  });
});
