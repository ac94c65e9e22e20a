import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Probes, probeHeaders } from './probes.ts';

export interface AdminServerOptions {
  readonly probes: Probes;
  /** The text of every metric, in the form that Prometheus scrapes. */
  readonly metrics: () => Promise<string>;
}

export interface AdminServer {
  /** Port 0 takes a free one. */
  listen(port: number, host: string): Promise<{ readonly port: number }>;
  /** Ends every connection. */
  close(): Promise<void>;
}

const timeoutMs = 10_000;
const metricsHeaders = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/**
 * Returns the server of the operator's own port: probes and metrics, for whoever reaches it. It shares nothing with the
 * public one, so that it answers while that one stops.
 */
export function createAdminServer({ probes, metrics }: AdminServerOptions): AdminServer {
  const server = createServer({ headersTimeout: timeoutMs, requestTimeout: timeoutMs }, (req, res) => {
    answer(req, res).catch(() => res.destroy());
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    req.resume();
    const path = (req.url ?? '').split('?', 1)[0] ?? '';
    const probe = probes(path);
    if (probe === undefined && path !== '/metrics') return send(req, res, 404, {}, '');
    if (req.method !== 'GET' && req.method !== 'HEAD') return send(req, res, 405, { allow: 'GET, HEAD' }, '');
    if (probe === undefined) return send(req, res, 200, metricsHeaders, await metrics());
    const { status, body } = await probe;
    send(req, res, status, probeHeaders, body);
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve({ port: (server.address() as AddressInfo).port });
        });
      }),
    async close() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  res.end(req.method === 'HEAD' ? '' : body);
}
