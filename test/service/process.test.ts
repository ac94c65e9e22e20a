import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type ServiceProcess, startProcess } from './process.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function start(env: Readonly<Record<string, string>> = {}): ServiceProcess {
  const started = startProcess(env);
  closers.push(() => started.stop());
  return started;
}

/** The key that a first start shows. */
function keyOf({ lines }: ServiceProcess): string {
  return /svc_live_\w+/.exec(lines.join('\n'))?.[0] ?? '';
}

async function listen(handle: Parameters<typeof createServer>[1]): Promise<{ server: Server; port: number }> {
  const server = createServer(handle ?? (() => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

describe('a process of the service', () => {
  test.for([
    ['PORT', { PORT: 'taken' }],
    ['ADMIN_PORT', { ADMIN_PORT: 'taken' }],
  ] as const)('ends with a message that names %s when it is taken', async ([name, env]) => {
    const { port } = await listen(undefined);
    const settings = Object.fromEntries(Object.keys(env).map((key) => [key, String(port)]));
    const other = name === 'PORT' ? { ADMIN_PORT: '0' } : {};
    const started = start({ ...settings, ...other });
    expect(await started.ended).toBe(1);
    expect(started.errors()).toContain(`${name}: 127.0.0.1:${port} is taken by another program`);
    // Shown by no later start.
    expect(keyOf(started)).not.toBe('');
  });

  test.for([
    ['TLS_CERT', { TLS_CERT: '/none/cert.pem', TLS_KEY: '/none/key.pem' }],
    ['MODELS_FILE', { MODELS_FILE: '/none/models.json' }],
  ] as const)('ends before it creates anything when the file of %s cannot be read', async ([name, env]) => {
    const started = start(env);
    expect(await started.ended).toBe(1);
    expect(started.errors()).toContain(name);
    expect(started.errors()).not.toContain('    at ');
    expect(started.lines).toEqual([]);
  });

  test('ends when its start fails, whatever it has opened by then', async () => {
    const started = start({ TLS_CERT: process.execPath, TLS_KEY: process.execPath });
    expect(await started.ended).toBe(1);
  });

  test('logs warnings and what nobody caught as lines of the log', async () => {
    const trouble = `process.once('SIGUSR2', () => {
      process.emitWarning('odd');
      setImmediate(() => Promise.reject(new Error('nobody caught this')));
    });`;
    const code = Buffer.from(trouble).toString('base64');
    const started = start({ NODE_OPTIONS: `--import=data:text/javascript;base64,${code}` });
    await started.listening();
    const errorsBefore = started.errors();
    started.signal('SIGUSR2');
    expect(await started.ended).toBe(1);
    expect(await started.logged('warning')).toMatchObject({ level: 'warn', err: { message: 'odd' } });
    expect(await started.logged('the process failed')).toMatchObject({
      level: 'error',
      err: { message: 'nobody caught this' },
    });
    expect(started.errors()).toBe(errorsBefore);
  });

  test('ends on SIGTERM once its calls have ended, not ready meanwhile', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const { port } = await listen(async (req, res) => {
      req.resume();
      asked.resolve();
      await answer.promise;
      const delta = { choices: [{ index: 0, delta: { content: 'late' }, finish_reason: null }] };
      const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`${[delta, end].map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`);
    });
    const started = start({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
    const { url, adminUrl } = await started.listening();
    await started.logged('listening');
    await expect.poll(() => keyOf(started)).not.toBe('');
    const reply = fetch(`${url}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(started)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'wait', model: 'any' }),
    });
    await asked.promise;
    expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    started.signal('SIGTERM');
    await started.logged('stopping');
    // Another signal is no other stop.
    started.signal('SIGINT');
    await expect.poll(() => started.lines.filter((line) => line.includes('"stopping"')).length).toBe(2);
    const readiness = await fetch(`${adminUrl}/readyz`);
    expect([readiness.status, (await readiness.json()).status]).toEqual([503, 'stopping']);
    expect((await fetch(`${adminUrl}/livez`)).status).toBe(200);
    await expect(fetch(`${url}/v1/health`)).rejects.toThrow();
    answer.resolve();
    expect(await (await reply).json()).toMatchObject({ content: 'late' });
    expect(await started.ended).toBe(0);
  });

  test('ends in its time although a call does not', async () => {
    const asked = Promise.withResolvers<void>();
    const { port } = await listen((req) => {
      req.resume();
      asked.resolve();
    });
    const started = start({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, SHUTDOWN_TIMEOUT_MS: '1000' });
    const { url } = await started.listening();
    await expect.poll(() => keyOf(started)).not.toBe('');
    fetch(`${url}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyOf(started)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'wait', model: 'any' }),
    }).catch(() => {});
    await asked.promise;
    started.signal('SIGTERM');
    expect(await started.ended).toBe(0);
  });
});
