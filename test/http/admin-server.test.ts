import { afterEach, describe, expect, test } from 'vitest';
import { type AdminServer, createAdminServer } from '../../src/http/admin-server.ts';
import { createProbes, type ProbedReadiness } from '../../src/http/probes.ts';

const ready: ProbedReadiness = { status: 'ready', checks: [{ name: 'store', state: 'ok' }] };

describe('the admin port', () => {
  let server: AdminServer | undefined;
  afterEach(() => server?.close());

  async function open(readiness = ready, metrics = async () => 'service_up 1\n'): Promise<string> {
    server = createAdminServer({ probes: createProbes(async () => readiness), metrics });
    const { port } = await server.listen(0, '127.0.0.1');
    return `http://127.0.0.1:${port}`;
  }

  test.for([
    ['ready', 200],
    ['not_ready', 503],
    ['stopping', 503],
  ] as const)('says over /readyz that the process is %s, with %i', async ([status, code]) => {
    const answer = await fetch(`${await open({ ...ready, status })}/readyz`);
    expect(answer.status).toBe(code);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ status, checks: ready.checks });
  });

  test('says over /livez that the process lives, whatever it depends on', async () => {
    const answer = await fetch(`${await open({ ...ready, status: 'not_ready' })}/livez`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'alive' }]);
  });

  test('gives the metrics in the text format of Prometheus', async () => {
    const answer = await fetch(`${await open()}/metrics?x=1`);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await answer.text()).toBe('service_up 1\n');
  });

  test.for([
    ['GET', '/', 404],
    ['GET', '/v1/health', 404],
    ['POST', '/metrics', 405],
    ['DELETE', '/readyz', 405],
    ['HEAD', '/metrics', 200],
  ] as const)('answers %s %s with %i and no body', async ([method, path, status]) => {
    const answer = await fetch(`${await open()}${path}`, { method });
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  });

  test('breaks off what cannot be read, and serves the next', async () => {
    let fails = true;
    const url = await open(ready, async () => {
      if (fails) throw new Error('secret');
      return '';
    });
    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
    fails = false;
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });

  test('ends open connections when it closes', async () => {
    const url = await open();
    await fetch(`${url}/livez`);
    await server?.close();
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });
});
