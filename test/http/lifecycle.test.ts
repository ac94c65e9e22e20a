import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { ConnectRouter } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';
import { ChatService } from '../../gen/service/chat/v1/chat_pb.ts';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import { createHealthCheck } from '../../src/rpc/health-check.ts';
import { cannedHealth, cannedRoutes, startServer } from './canned-services.ts';
import { head, sendRaw } from './raw-socket.ts';

const key = { authorization: 'Bearer good' };

/** Services whose calls wait: health until `release`, a streamed chat between its first and its second event. */
function waitingRoutes() {
  const entered = Promise.withResolvers<AbortSignal>();
  const released = Promise.withResolvers<void>();
  const routes = (router: ConnectRouter) => {
    router.service(HealthService, {
      async getHealth(_request, context) {
        entered.resolve(context.signal);
        await released.promise;
        return cannedHealth();
      },
    });
    router.service(ChatService, {
      async *streamChat(_request, context) {
        yield { event: { case: 'content', value: { content: 'one' } } };
        entered.resolve(context.signal);
        await Promise.race([released.promise, once(context.signal, 'abort')]);
        yield { event: { case: 'content', value: { content: 'two' } } };
      },
    });
  };
  return { routes, entered: entered.promise, release: released.resolve };
}

function streamChat(port: number, signal?: AbortSignal): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/v1/chat`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: '{"message":"x"}',
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('a closing server', () => {
  test('lets the call under way finish, over HTTP/1 and HTTP/2, and takes no new connection', async () => {
    for (const version of [1, 2]) {
      const { routes, entered, release } = waitingRoutes();
      const { server, port } = await startServer({ routes });
      const answer = version === 1 ? getHttp1(port, '/v1/health') : getHttp2(port, '/v1/health');
      await entered;
      const closed = server.close(60_000);
      const refused = connect(port, '127.0.0.1');
      expect((await once(refused, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' });
      release();
      expect(await answer).toBe(200);
      await closed;
    }
  });

  test('lets a stream finish', async () => {
    const { routes, entered, release } = waitingRoutes();
    const { server, port } = await startServer({ routes });
    const response = await streamChat(port);
    await entered;
    const closed = server.close(60_000);
    release();
    expect(await response.text()).toContain('two');
    await closed;
  });

  test('closes idle connections, and those that have not said what they speak', async () => {
    const { server, port } = await startServer();
    const agent = new Agent({ keepAlive: true });
    await getHttp1(port, '/v1/health', agent);
    const silent = connect(port, '127.0.0.1');
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    await Promise.all([once(silent, 'connect'), once(session, 'remoteSettings')]);
    await server.close(60_000);
    agent.destroy();
  });

  test('aborts calls at the deadline and cuts what is left', async () => {
    const { routes, entered } = waitingRoutes();
    const { server, port } = await startServer({ routes });
    const answer = getHttp1(port, '/v1/health').catch((error: NodeJS.ErrnoException) => error.code);
    const signal = await entered;
    await server.close(10);
    expect(signal.aborted).toBe(true);
    expect(await answer).toBe('ECONNRESET');
  });

  test('is NOT_SERVING to its watchers', async () => {
    const health = createHealthCheck();
    const { server } = await startServer({ routes: cannedRoutes(), health });
    await server.close(0);
    health.setStatus('', 'SERVING');
    const registered: { check?: (request: unknown) => unknown } = {};
    health.register({ service: (_: unknown, impl: object) => Object.assign(registered, impl) } as never);
    expect(await registered.check?.({ service: '' })).toEqual({ status: 2 });
  });
});

describe('an idle HTTP/2 session', () => {
  test('is closed, but not while it has a stream', async () => {
    const { routes, entered, release } = waitingRoutes();
    const { server, port } = await startServer({ routes, limits: { idleHttp2SessionMs: 50 } });
    const busy = connectHttp2(`http://127.0.0.1:${port}`);
    const stream = busy.request({ ':path': '/v1/health', ...key });
    await entered;
    const idle = connectHttp2(`http://127.0.0.1:${port}`);
    await once(idle, 'close');
    expect(busy.closed).toBe(false);
    release();
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    stream.resume();
    await once(busy, 'close');
    await server.close(0);
  });
});

describe('a client that goes away', () => {
  test('ends an endless stream over HTTP/2, whether it is waiting for the client or not', async () => {
    const ended = Promise.withResolvers<void>();
    const routes = (router: ConnectRouter) => {
      router.service(ChatService, {
        async *streamChat() {
          try {
            for (;;) yield { event: { case: 'content', value: { content: 'x'.repeat(1000) } } };
          } finally {
            ended.resolve();
          }
        },
      });
    };
    const { server, port } = await startServer({ routes });
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const accept = 'text/event-stream';
    const stream = session.request({ ':method': 'POST', ':path': '/v1/chat', accept, ...key });
    stream.on('error', () => undefined);
    stream.end('{"message":"x"}');
    await once(stream, 'data');
    session.destroy();
    await ended.promise;
    await server.close(0);
  });

  test('aborts the signal of its call', async () => {
    const { routes, entered } = waitingRoutes();
    const { server, port } = await startServer({ routes });
    const controller = new AbortController();
    await streamChat(port, controller.signal);
    const signal = await entered;
    controller.abort();
    if (!signal.aborted) await once(signal, 'abort');
    await server.close(0);
  });
});

describe('an event stream', () => {
  test('sends a comment line while there is nothing to tell', async () => {
    const { routes, release } = waitingRoutes();
    const { server, port } = await startServer({ routes, limits: { heartbeatMs: 5 } });
    const request = head(
      'POST /v1/chat HTTP/1.1',
      'Host: a',
      'Authorization: Bearer good',
      'Accept: text/event-stream',
      'Content-Length: 15',
    );
    const { text } = await sendRaw(port, `${request}{"message":"x"}`, /\r\n:\n\n\r\n/);
    expect(text).toContain('one');
    release();
    await server.close(0);
  });

  test('waits for a client that does not read, and cuts it off when it reads nothing for too long', async () => {
    const ended = Promise.withResolvers<number>();
    const routes = (router: ConnectRouter) => {
      router.service(ChatService, {
        async *streamChat() {
          let events = 0;
          try {
            for (; events < 1_000_000; events++) {
              yield { event: { case: 'content', value: { content: 'x'.repeat(1000) } } };
            }
          } finally {
            ended.resolve(events);
          }
        },
      });
    };
    const { server, port } = await startServer({ routes, limits: { stalledWriteMs: 100 } });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(
      `${head('POST /v1/chat HTTP/1.1', 'Host: a', 'Authorization: Bearer good', 'Accept: text/event-stream', 'Content-Length: 15')}{"message":"x"}`,
    );
    // What the sockets' buffers take, a few megabytes: far from all.
    expect(await ended.promise).toBeLessThan(100_000);
    socket.destroy();
    await server.close(0);
  });
});

function getHttp1(port: number, path: string, agent?: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, path, headers: key, ...(agent === undefined ? {} : { agent }) },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode));
      },
    );
    request.once('error', reject);
    request.end();
  });
}

async function getHttp2(port: number, path: string): Promise<number | undefined> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':path': path, ...key });
  const [headers] = await once(stream, 'response');
  stream.resume();
  await once(stream, 'end');
  return headers[':status'];
}
