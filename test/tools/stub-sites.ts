import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { ConnectOptions } from '../../src/net/connect-public.ts';
import { createSystemClient, type SystemClient } from '../../src/tools/http/system-client.ts';
import { selfSigned } from '../certificate.ts';

export interface SiteRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Undefined when the text is no JSON. */
  readonly body: unknown;
}

export interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
}

export type SiteHandler = (request: SiteRequest) => SiteAnswer | Promise<SiteAnswer> | 'hang' | 'reset';

export interface StubSites {
  /** Leads every host to the stub, each at a public address. */
  readonly connect: ConnectOptions;
  readonly requests: SiteRequest[];
  handle: SiteHandler;
  /** A client of the stub whose clock and waiting are the test's. */
  client(clock?: { now(): number }): SystemClient;
  /** Milliseconds that clients waited, instead of waiting. */
  readonly waits: number[];
  close(): Promise<void>;
}

const publicAddress = '93.184.216.34';

/** Starts one https server that stands for every named host. */
export async function startStubSites(...names: readonly string[]): Promise<StubSites> {
  const certificate = selfSigned(...names);
  const requests: SiteRequest[] = [];
  const clients: SystemClient[] = [];
  const waits: number[] = [];

  const server = createServer(certificate, async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(req.url ?? '/', `https://${req.headers.host}`);
    const text = Buffer.concat(chunks).toString();
    const request: SiteRequest = {
      method: req.method ?? '',
      host: url.host,
      path: url.pathname,
      query: url.searchParams,
      headers: req.headers,
      text,
      body: parsed(text),
    };
    requests.push(request);
    const answer = await sites.handle(request);
    if (answer === 'hang') return;
    if (answer === 'reset') return void req.socket.destroy();
    const { status = 200, headers = {}, body = '' } = answer;
    const isText = typeof body === 'string' || body instanceof Buffer;
    res.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    res.end(isText ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const sites: StubSites = {
    connect: {
      ca: certificate.cert,
      network: { lookup: async () => [publicAddress], open: () => connect(port, '127.0.0.1') },
    },
    requests,
    waits,
    handle: () => ({ status: 500, body: 'no answer was arranged' }),
    client(clock = { now: () => 0 }) {
      const wait = async (ms: number) => void waits.push(ms);
      const client = createSystemClient({ ...sites.connect, clock, wait });
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return sites;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
