import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON (opentelemetry-proto, trace.proto). */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

export interface FakeCollector {
  readonly url: string;
  /** Every body as it came. */
  readonly bodies: readonly string[];
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  readonly paths: readonly string[];
  spans(): readonly ReceivedSpan[];
  serviceNames(): readonly unknown[];
  close(): Promise<void>;
}

/** Starts a collector on loopback that takes traces over HTTP in JSON, answers with `status`, or for 0 with nothing. */
export async function startFakeCollector(status = 200): Promise<FakeCollector> {
  const bodies: string[] = [];
  const headers: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString();
    bodies.push(body);
    headers.push(req.headers);
    paths.push(req.url ?? '');
    if (status > 0) res.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resources = () => bodies.flatMap((body) => JSON.parse(body).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    paths,
    spans: () =>
      resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }: { spans: unknown[] }) => spans)),
    serviceNames: () =>
      resources().map(
        ({ resource }) =>
          resource.attributes.find(({ key }: { key: string }) => key === 'service.name')?.value.stringValue,
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
