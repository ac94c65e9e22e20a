import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { call, origin, toSession } from '../wire/session-client.ts';
import { startProcess } from './process.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A model server that refuses, and quotes the key that it was sent. */
async function startRefusingServer(): Promise<string> {
  const server = createServer((req, res) => {
    req.resume();
    const message = `Incorrect API key provided: ${req.headers.authorization}`;
    res.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test.for(['trace', 'debug'])(
  'at level %s the log shows no secret, whatever fails',
  { timeout: 60_000 },
  async (level) => {
    const secretsKey = Buffer.from('0123456789-SECRETS-KEY-012345678').toString('base64');
    const given = {
      SECRETS_KEY: secretsKey,
      OPENAI_API_KEY: 'sk-MODEL-SECRET-0123456789',
      // Nobody listens there, so that the outage is logged.
      REDIS_URL: 'redis://user:REDIS-SECRET@127.0.0.1:1',
      SMTP_URL: 'smtp://user:SMTP-SECRET@127.0.0.1:1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20TRACE-SECRET',
    };
    const alone = { ...given, OPENAI_BASE_URL: await startRefusingServer(), LOG_LEVEL: level };
    const { REDIS_URL, ...embedded } = alone;
    const away = startProcess({ ...embedded, REDIS_URL });
    const started = startProcess({ ...embedded, PUBLIC_URL: 'http://service.test' });
    closers.push(
      () => away.stop(),
      () => started.stop(),
    );
    const { url: awayUrl = '' } = await away.listening();
    const refused = await call(awayUrl, 'GET', '/v1/health', { authorization: 'Bearer BEARER-SECRET' });
    expect(refused.status).toBe(503);

    const { url = '' } = await started.listening();
    const shown = () => started.lines.join('\n');
    await expect.poll(() => /svc_live_\w+/.test(shown())).toBe(true);
    const apiKey = /svc_live_\w+/.exec(shown())?.[0] ?? '';
    const email = /Administrator\s+(\S+)/.exec(shown())?.[1] ?? '';
    const password = /Password\s+(\S+)/.exec(shown())?.[1] ?? '';
    const bearer = { authorization: `Bearer ${apiKey}` };
    const failed = await call(url, 'POST', '/v1/chat', bearer, { message: 'PROMPT-SECRET', model: 'm' });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    await call(url, 'GET', '/v1/health', { authorization: 'Bearer svc_live_OTHER-SECRET0123456789' });

    const signedIn = await call(url, 'POST', '/api/session', { origin }, { email, password });
    const { headers, cookie, csrfToken } = toSession(signedIn);
    const agent = await call(url, 'POST', '/api/agents', headers, { name: 'A', prompt: 'PROMPT-SECRET' });
    const id = String((agent.body?.agent as { readonly id?: string } | undefined)?.id);
    const webhook = await call(url, 'POST', `/api/agents/${id}/webhook`, headers, {});
    const webhookSecret = String(webhook.body?.secret);
    const timestamp = String(Date.now());
    const signature = createHmac('sha256', webhookSecret).update(`${timestamp}.{}`).digest('hex');
    for (const sent of [signature, 'wrong', signature]) {
      const signed = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': sent };
      await call(url, 'POST', `/api/agents/${id}/webhook/trigger`, signed, {});
    }
    const organizations = await call(url, 'GET', '/api/admin/organizations', headers);
    const listed = organizations.body?.data as readonly { readonly id: string }[] | undefined;
    const connection = await call(url, 'POST', '/api/admin/connections', headers, {
      organization_id: listed?.[0]?.id,
      name: 'db',
      kind: 'postgres',
      settings: { url: 'postgres://user:CONNECTION-SECRET@127.0.0.1:1/db' },
    });
    const connectionId = String((connection.body?.connection as { readonly id?: string } | undefined)?.id);
    const tested = await call(url, 'POST', `/api/admin/connections/${connectionId}/test`, headers, {});
    expect(tested.status).toBe(200);
    await started.logged('request failed');
    for (const each of [started, away]) {
      each.signal('SIGTERM');
      expect(await each.ended).toBe(0);
    }

    const log = [...started.lines, ...away.lines].filter((line) => line.startsWith('{'));
    expect(log.length).toBeGreaterThan(8);
    for (const line of log) expect(() => JSON.parse(line)).not.toThrow();
    const text = log.join('\n') + started.errors() + away.errors();
    const secrets = [
      ...['MODEL-SECRET', 'REDIS-SECRET', 'SMTP-SECRET', 'TRACE-SECRET', 'CONNECTION-SECRET'],
      ...['BEARER-SECRET', 'OTHER-SECRET', 'PROMPT-SECRET'],
      ...[secretsKey, apiKey, password, webhookSecret, signature, csrfToken, cookie],
    ];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      expect(text).not.toContain(secret);
    }
  },
);
