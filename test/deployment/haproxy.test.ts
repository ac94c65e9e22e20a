import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import { freePort } from '../free-port.ts';
import { describeWith, findProgram } from '../programs.ts';
import { type RunningService, startService } from '../service/start-service.ts';
import { readFile } from './deployment-files.ts';

const program = { name: 'haproxy', path: findProgram('haproxy') };

describeWith(program, 'HAProxy with the configuration of compose.yaml', () => {
  const path = program.path ?? '';
  let folder: string;
  let service: RunningService;
  let probes: Server;
  let isReady = true;
  let proxy: ChildProcess;
  let url: string;
  let healthUrl: string;

  beforeAll(async () => {
    service = await startService({ TRUSTED_PROXIES: '127.0.0.1', IP_AUTH_FAILURE_LIMIT: '3' });
    probes = createHttpServer((_, res) => res.writeHead(isReady ? 200 : 503).end()).listen(0, '127.0.0.1');
    await once(probes, 'listening');
    const port = await freePort();
    const healthPort = await freePort();
    url = `http://127.0.0.1:${port}`;
    healthUrl = `http://127.0.0.1:${healthPort}/healthz`;
    const { port: probePort } = probes.address() as AddressInfo;
    folder = mkdtempSync(join(tmpdir(), 'service-proxy-'));
    const file = join(folder, 'haproxy.cfg');
    // The addresses of this machine in place of those of the containers; everything else as it is.
    const config = readFile('deploy/haproxy.cfg')
      .replace(/^ {4}bind :8080$/m, `    bind 127.0.0.1:${port}`)
      .replace('127.0.0.1:8404', `127.0.0.1:${healthPort}`)
      .replace('port 9091', `port ${probePort}`)
      .replace(/server-template api- 8 api:8080/, `server api-1 127.0.0.1:${service.port}`);
    writeFileSync(file, config);
    proxy = spawn(path, ['-f', file], { stdio: 'ignore' });
    await vi.waitUntil(async () => (await statusOf(healthUrl)) === 200, { timeout: 20_000 });
  });

  afterAll(async () => {
    proxy?.kill('SIGKILL');
    probes?.close();
    await service?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const statusOf = (address: string, headers: Record<string, string> = {}) =>
    fetch(address, { headers }).then(
      ({ status }) => status,
      () => 0,
    );
  const authorized = () => ({ authorization: `Bearer ${service.apiKey}` });

  test('is valid', () => {
    const { status, stderr } = spawnSync(path, ['-c', '-f', 'deploy/haproxy.cfg'], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });

  test('passes REST on', async () => {
    expect(await statusOf(`${url}/v1/health`, authorized())).toBe(200);
  });

  test('passes gRPC on, on the same port', async () => {
    const client = createClient(HealthService, createGrpcTransport({ baseUrl: url }));
    expect((await client.getHealth({}, { headers: authorized() })).status).toBe('ok');
  });

  test('passes an event stream on as it comes', async () => {
    const response = await fetch(`${url}/v1/chat`, {
      method: 'POST',
      headers: { ...authorized(), 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message: 'Hello' }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toContain('"type":"done"');
  });

  test('says whose call it is, whatever the caller claims', async () => {
    const statuses: number[] = [];
    for (let call = 1; call <= 5; call += 1) {
      const claim = { authorization: 'Bearer wrong', 'x-forwarded-for': `203.0.113.${call}` };
      statuses.push(await statusOf(`${url}/v1/health`, claim));
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test('sends nothing to a process that is not ready', async () => {
    isReady = false;
    await expect.poll(() => statusOf(`${url}/v1/health`), { timeout: 20_000 }).toBe(503);
    expect(await statusOf(healthUrl)).toBe(503);
  });
});
