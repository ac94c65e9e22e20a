import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { describeWith, findProgram } from '../programs.ts';
import { startServer } from './canned-services.ts';
import { sendRaw } from './raw-socket.ts';

const openssl = findProgram('openssl');
const key = { authorization: 'Bearer good' };

describeWith({ name: 'openssl', path: openssl }, 'over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  let server: HttpServer;
  let port: number;

  beforeAll(async () => {
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const args = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '1',
    ];
    execFileSync(openssl ?? '', [...args, '-subj', '/CN=localhost', '-keyout', keyFile, '-out', certFile], {
      stdio: 'ignore',
    });
    const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
    ({ server, port } = await startServer({
      tls,
      limits: { headersTimeoutMs: 300, connectionsCheckingIntervalMs: 20 },
    }));
  });
  afterAll(async () => {
    await server.close(0);
    rmSync(folder, { recursive: true });
  });

  test('HTTP/2 is agreed on by ALPN', async () => {
    const session = connectHttp2(`https://localhost:${port}`, { rejectUnauthorized: false });
    const stream = session.request({ ':path': '/v1/health', ...key });
    const status = await new Promise((resolve) =>
      stream.on('response', (headers) => resolve(headers[':status'])),
    );
    expect(status).toBe(200);
    expect(session.alpnProtocol).toBe('h2');
    session.destroy();
  });

  test('HTTP/1.1 is there for who does not', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = {
        port,
        path: '/v1/health',
        headers: { ...key, connection: 'close' },
        rejectUnauthorized: false,
      };
      request(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  test('what is no TLS is cut off, and so is who says nothing', async () => {
    expect((await sendRaw(port, 'GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n')).statuses).not.toContain(200);
    expect((await sendRaw(port, '')).text).toBe('');
  });
});
