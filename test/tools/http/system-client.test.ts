import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import type { Network } from '../../../src/net/connect-public.ts';
import { ToolFailure } from '../../../src/ports/tool.ts';
import { createSystemClient, type SystemRequest } from '../../../src/tools/http/system-client.ts';
import { type StubSites, startStubSites } from '../stub-sites.ts';

let sites: StubSites;
let nowMs = 0;
const { signal } = new AbortController();
const clock = { now: () => nowMs };

beforeAll(async () => {
  sites = await startStubSites('one.example.com', 'two.example.com', 'jira', '10.0.0.5');
});
afterAll(() => sites.close());
beforeEach(() => {
  nowMs = 0;
  sites.requests.length = 0;
  sites.waits.length = 0;
  sites.handle = () => ({ body: { ok: true } });
});

function call(url: string, fields: Partial<SystemRequest> = {}): SystemRequest {
  return { method: 'GET', url: new URL(url), headers: { authorization: 'Bearer SECRET' }, ...fields };
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolFailure);
  const { message, stack, cause } = error as ToolFailure;
  expect(`${message} ${stack} ${JSON.stringify(cause ?? '')}`).not.toContain('SECRET');
  return message;
}

describe('a call', () => {
  test('goes over https with what was given, and JSON comes back', async () => {
    const request = call('https://one.example.com/a?b=c', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"x":1}',
    });
    expect(await sites.client().send(request, signal)).toEqual({
      status: 200,
      retryAfterSeconds: null,
      body: { ok: true },
    });
    expect(sites.requests[0]).toMatchObject({
      method: 'POST',
      host: 'one.example.com',
      path: '/a',
      body: { x: 1 },
      headers: { 'accept-encoding': 'identity', accept: 'application/json' },
    });
  });

  test('follows no redirect, so that credentials stay with the site', async () => {
    sites.handle = () => ({ status: 302, headers: { location: 'https://two.example.com/' } });
    expect(await failureOf(sites.client().send(call('https://one.example.com/'), signal))).toContain(
      'redirect',
    );
    expect(sites.requests.map(({ host }) => host)).toEqual(['one.example.com']);
  });

  test('reads no more than 4 MB', async () => {
    sites.handle = () => ({ body: Buffer.alloc(limits.systems.responseBytes, '1') });
    expect((await sites.client().send(call('https://one.example.com/'), signal)).status).toBe(200);
    sites.handle = () => ({ body: Buffer.alloc(limits.systems.responseBytes + 1, '1') });
    expect(await failureOf(sites.client().send(call('https://one.example.com/'), signal))).toContain(
      'fewer rows',
    );
  });

  test('is not made over http', async () => {
    expect(await failureOf(sites.client().send(call('http://one.example.com/'), signal))).toContain('https');
  });

  test('ends with its caller', async () => {
    const caller = new AbortController();
    const reason = new Error('left');
    sites.handle = () => {
      caller.abort(reason);
      return 'hang';
    };
    await expect(sites.client().send(call('https://one.example.com/'), caller.signal)).rejects.toBe(reason);
    await expect(sites.client().send(call('https://one.example.com/'), caller.signal)).rejects.toBe(reason);
  });

  test.for([
    ['127.0.0.1', /not at a public address/],
    ['10.0.0.5', /not at a public address/],
    ['[::1]', /not at a public address/],
    ['169.254.169.254', /not at a public address/],
  ] as const)('does not go to %s', async ([host, message]) => {
    expect(await failureOf(sites.client().send(call(`https://${host}/`), signal))).toMatch(message);
    expect(sites.requests).toEqual([]);
  });
});

describe('a private host', () => {
  function clientOf(privateHosts: readonly string[], network: Partial<Network> = {}) {
    return createSystemClient({
      ca: sites.connect.ca ?? '',
      clock,
      privateHosts: new Set(privateHosts),
      network: { ...sites.connect.network, lookup: async () => ['10.0.0.5'], ...network },
    });
  }

  test('is reached when the operator names it, and it alone', async () => {
    const client = clientOf(['one.example.com']);
    expect((await client.send(call('https://ONE.example.com/'), signal)).status).toBe(200);
    expect(await failureOf(client.send(call('https://two.example.com/'), signal))).toContain(
      'ALLOWED_PRIVATE_HOSTS',
    );
    await client.close();
  });

  test('may be an address, or a name that only the machine knows', async () => {
    const opened: string[] = [];
    const client = clientOf(['10.0.0.5', 'jira'], {
      lookup: async () => [],
      lookupLocal: async () => ['192.168.1.2'],
      open(address) {
        opened.push(address);
        return sites.connect.network.open(address, 443);
      },
    });
    expect((await client.send(call('https://10.0.0.5/'), signal)).status).toBe(200);
    expect((await client.send(call('https://jira/'), signal)).status).toBe(200);
    expect(opened).toEqual(['10.0.0.5', '192.168.1.2']);
    await client.close();
  });

  test('must have a certificate that can be trusted all the same', async () => {
    const client = createSystemClient({
      clock,
      privateHosts: new Set(['one.example.com']),
      network: { lookup: async () => ['10.0.0.5'], open: () => sites.connect.network.open('10.0.0.5', 443) },
    });
    expect(await failureOf(client.send(call('https://one.example.com/'), signal))).toContain(
      'could not be reached',
    );
    expect(sites.requests).toEqual([]);
    await client.close();
  });
});

describe('a site that fails', () => {
  const pauseMs = limits.systems.sitePauseMs;

  test.for(['reset', 'status'] as const)(
    'is left alone after 5 failures in a row (%s), tried once after 30 s',
    async (how) => {
      const client = sites.client(clock);
      const one = () =>
        client.send(call('https://one.example.com/'), signal).catch((error: Error) => error.message);
      sites.handle = ({ host }) => {
        if (host !== 'one.example.com') return { body: {} };
        return how === 'reset' ? 'reset' : { status: 503 };
      };
      for (let failure = 0; failure < limits.systems.siteFailures; failure += 1) await one();
      expect(sites.requests).toHaveLength(5);
      expect(await one()).toContain('did not answer several times');
      expect(sites.requests).toHaveLength(5);
      expect((await client.send(call('https://two.example.com/'), signal)).status).toBe(200);
      nowMs += pauseMs;
      await one();
      expect(await one()).toContain('did not answer several times');
      expect(sites.requests).toHaveLength(7);
      nowMs += pauseMs;
      sites.handle = () => ({ body: {} });
      expect(await one()).toMatchObject({ status: 200 });
      expect(await one()).toMatchObject({ status: 200 });
    },
  );

  test('is not one that refuses: 4xx do not count', async () => {
    const client = sites.client(clock);
    sites.handle = () => ({ status: 401 });
    for (let refusal = 0; refusal < 10; refusal += 1) {
      expect((await client.send(call('https://one.example.com/'), signal)).status).toBe(401);
    }
  });

  test('is not called again for the same call, so that nothing is written twice', async () => {
    sites.handle = () => 'reset';
    await failureOf(
      sites.client().send(call('https://one.example.com/', { method: 'POST', body: '{}' }), signal),
    );
    expect(sites.requests).toHaveLength(1);
  });
});

describe('a 429', () => {
  test.for([
    ['3', [3_000]],
    [undefined, [1_000]],
    ['0', [0]],
    ['10', [10_000]],
    ['11', []],
    ['Wed, 21 Oct 2026 07:28:00 GMT', [1_000]],
  ] as const)('with Retry-After %s is waited for %j', async ([header, waits]) => {
    sites.handle = () => ({ status: 429, headers: header === undefined ? {} : { 'retry-after': header } });
    expect((await sites.client().send(call('https://one.example.com/'), signal)).status).toBe(429);
    expect(sites.waits).toEqual(waits);
    expect(sites.requests).toHaveLength(waits.length + 1);
  });

  test('is not waited for by a caller who left', async () => {
    const caller = new AbortController();
    const client = createSystemClient({ ...sites.connect, clock });
    sites.handle = () => {
      setImmediate(() => caller.abort());
      return { status: 429, headers: { 'retry-after': '9' } };
    };
    await expect(client.send(call('https://one.example.com/'), caller.signal)).rejects.toThrow(/abort/);
    await client.close();
  });
});
