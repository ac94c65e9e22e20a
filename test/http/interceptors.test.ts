import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChatService } from '../../gen/service/chat/v1/chat_pb.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { startServer } from './canned-services.ts';

const seen: string[] = [];
const watching: Interceptor = (next) => async (req) => {
  seen.push(`> ${req.method.name}`);
  try {
    const res = await next(req);
    res.header.set('x-seen', req.header.get('authorization') ?? '');
    if (!res.stream) {
      seen.push('< message');
      return res;
    }
    return {
      ...res,
      message: (async function* () {
        for await (const message of res.message) {
          seen.push('< message');
          yield message;
        }
      })(),
    };
  } catch (error) {
    seen.push(`< ${(error as Error).name}`);
    throw error;
  }
};

let server: HttpServer;
let base: string;
beforeAll(async () => {
  const started = await startServer({ interceptors: [watching] });
  server = started.server;
  base = `http://127.0.0.1:${started.port}`;
});
afterAll(() => server.close(0));
beforeEach(() => void seen.splice(0));

const key = { authorization: 'Bearer good' };
const post = (message: string, accept: string) =>
  fetch(`${base}/v1/chat`, {
    method: 'POST',
    headers: { ...key, accept, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });

describe('the own interceptors of a service stand around every call', () => {
  test('over REST', async () => {
    const response = await post('a', 'application/json');
    expect(await response.json()).toMatchObject({ content: 'a' });
    expect(response.headers.get('x-seen')).toBe('Bearer good');
    expect(seen).toEqual(['> Chat', '< message']);
  });

  test('over REST as a stream', async () => {
    const response = await post('a', 'text/event-stream');
    expect(await response.text()).toContain('"type":"done"');
    expect(response.headers.get('x-seen')).toBe('Bearer good');
    expect(seen).toEqual(['> StreamChat', '< message', '< message', '< message']);
  });

  test.for(['gRPC', 'Connect'])('over %s', async (name) => {
    const transport =
      name === 'gRPC'
        ? createGrpcTransport({ baseUrl: base })
        : createConnectTransport({ baseUrl: base, httpVersion: '1.1' });
    const client = createClient(ChatService, transport);
    expect(await client.chat({ message: 'a' }, { headers: key })).toMatchObject({ content: 'a' });
    let events = 0;
    for await (const _ of client.streamChat({ chat: { message: 'a' } }, { headers: key })) events++;
    expect(events).toBe(3);
    expect(seen).toEqual(['> Chat', '< message', '> StreamChat', '< message', '< message', '< message']);
  });

  test('see failures as they were thrown, and those of validation', async () => {
    await post('fail', 'application/json');
    await post('', 'application/json');
    expect(seen).toEqual(['> Chat', '< ServiceError', '> Chat', '< ServiceError']);
  });
});
