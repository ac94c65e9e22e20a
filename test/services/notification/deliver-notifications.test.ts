import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Network } from '../../../src/net/connect-public.ts';
import type { Mail } from '../../../src/ports/mailer.ts';
import { selfSigned } from '../../certificate.ts';
import { type AgentHouseOptions, access, closeAfterTest, openAgentHouse } from '../run/agent-house.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly url: string | undefined;
}

/** Starts a receiver of webhooks that has a public name and address, as far as the service can see. */
async function startReceiver(answer: (number: number) => number, addresses = ['93.184.216.34']) {
  const certificate = selfSigned('hooks.example.com');
  const received: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const listener: RequestListener = async (req, res) => {
    let body = '';
    for await (const chunk of req.setEncoding('utf8')) body += chunk;
    received.push({ headers: req.headers, body, url: req.url });
    res.writeHead(answer(received.length - 1), { location: 'https://hooks.example.com/elsewhere' }).end('x');
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
  };
  const server = createServer(certificate, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  closeAfterTest(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const network: Network = {
    lookup: async () => addresses,
    open: () => connect(port, '127.0.0.1'),
  };
  return {
    received,
    options: { network, ca: certificate.cert } satisfies AgentHouseOptions,
    until: (count: number) =>
      new Promise<void>((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

const target = { kind: 'webhook', url: 'https://hooks.example.com/in?x=1' };

async function openWithAgent(options: AgentHouseOptions, notifications: readonly object[]) {
  const house = await openAgentHouse(options);
  const fields = { name: 'Reporter', prompt: 'Go.', model: 'large', notifications };
  const { agent, notificationSecret } = await house.agents.create('user-1', fields, access);
  return { house, agent, secret: notificationSecret ?? '' };
}

describe('a webhook of the end of a run', () => {
  test('is signed as Standard Webhooks has it and tells what happened', async () => {
    const receiver = await startReceiver(() => 200);
    const { house, agent, secret } = await openWithAgent(receiver.options, [target]);
    expect(secret).toMatch(/^whsec_/);
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    await receiver.until(1);
    const [{ headers, body, url } = { headers: {}, body: '', url: '' }] = receiver.received;
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({
      type: 'agent.run.succeeded',
      data: {
        agent: { id: agent.id, name: 'Reporter' },
        run: { id, trigger_type: 'manual', status: 'succeeded', output: 'Done.', error: null },
      },
    });
    expect(url).toBe('/in?x=1');
    expect(headers['webhook-id']).toBe(`run_${id}_0`);
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    const run = await house.until(id, ({ dueAtMs, status }) => status === 'succeeded' && dueAtMs === null);
    expect(run.deliveries).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  test('is tried again, later each time, under the same id, until it is taken', async () => {
    const receiver = await startReceiver((number) => (number < 2 ? 503 : 204));
    const { house, agent } = await openWithAgent(receiver.options, [target]);
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    for (const attempts of [1, 2]) {
      await house.until(id, ({ deliveries }) => deliveries[0]?.attempts === attempts);
      house.pass(attempts === 1 ? 10_000 : 60_000);
    }
    await house.until(id, ({ deliveries }) => deliveries[0]?.state === 'delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });

  test('is given up after six attempts; the run stays what it was, and the agent goes on', async () => {
    const receiver = await startReceiver(() => 500);
    const { house, agent } = await openWithAgent(receiver.options, [target]);
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    for (let attempts = 1; attempts < 6; attempts += 1) {
      await house.until(id, ({ deliveries }) => deliveries[0]?.attempts === attempts);
      house.pass(7_200_000);
    }
    const run = await house.until(id, ({ deliveries }) => deliveries[0]?.state === 'failed');
    expect(run).toMatchObject({ status: 'succeeded', dueAtMs: null, deliveries: [{ attempts: 6 }] });
  });

  test.for<readonly [string, number]>([['a receiver that is gone', 410]])(
    '%s is not asked again',
    async ([, status]) => {
      const receiver = await startReceiver(() => status);
      const { house, agent } = await openWithAgent(receiver.options, [target]);
      house.start();
      const { id } = await house.runs.run(agent.id, access);
      const run = await house.until(id, ({ deliveries }) => deliveries[0]?.state === 'failed');
      expect(run.deliveries).toMatchObject([{ attempts: 1 }]);
    },
  );

  test('a redirect is not followed', async () => {
    const receiver = await startReceiver(() => 302);
    const { house, agent } = await openWithAgent(receiver.options, [target]);
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    await house.until(id, ({ deliveries }) => deliveries[0]?.attempts === 1);
    expect(receiver.received).toHaveLength(1);
  });

  test('goes to no host that leads to a private address, however its name looks', async () => {
    const receiver = await startReceiver(() => 200, ['93.184.216.34', '10.0.0.7']);
    const { house, agent } = await openWithAgent(receiver.options, [target]);
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    await house.until(id, ({ deliveries }) => deliveries[0]?.state === 'failed');
    expect(receiver.received).toHaveLength(0);
  });

  test('survives the end of the process that was to send it', async () => {
    const receiver = await startReceiver(() => 200);
    const { house, agent } = await openWithAgent(receiver.options, [target]);
    const { id } = await house.runs.run(agent.id, access);
    await house.runs.cancel(agent.id, id, access);
    const other = await house.second();
    other.start();
    await receiver.until(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject({ type: 'agent.run.cancelled' });
  });
});

describe('a mail of the end of a run', () => {
  test('goes to those who asked for that end', async () => {
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => undefined };
    const { house, agent, secret } = await openWithAgent(
      { mailer, answer: () => ({ status: 400, steps: [] }) },
      [
        { kind: 'email', address: 'All@Example.com' },
        { kind: 'email', address: 'wins@example.com', statuses: ['succeeded'] },
        { kind: 'email', address: 'fails@example.com', statuses: ['failed'] },
      ],
    );
    expect(secret).toBe('');
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    await house.until(id, ({ dueAtMs, status }) => status === 'failed' && dueAtMs === null);
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['all@example.com', 'fails@example.com']);
    expect(mails[0]?.subject).toBe('Agent Reporter failed');
    expect(mails[0]?.text).toContain('Error: The model server failed (rejected).');
  });

  test('cannot be asked for where there is no mail server', async () => {
    const house = await openAgentHouse();
    const notifications = [{ kind: 'email', address: 'a@example.com' }];
    await expect(house.agent({ notifications })).rejects.toMatchObject({ slug: 'invalid_request' });
  });
});

test.for([
  'http://hooks.example.com/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://10.0.0.1/',
  'https://user:password@hooks.example.com/',
  'https://hooks.example.com:22/',
  'https://intranet/',
  'ftp://hooks.example.com/',
  'hooks.example.com',
  '',
])('%j is no target for webhooks', async (url) => {
  const house = await openAgentHouse();
  const notifications = [{ kind: 'webhook', url }];
  await expect(house.agent({ notifications })).rejects.toMatchObject({
    slug: 'invalid_request',
    violations: [{ pointer: '/notifications' }],
  });
});
