import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createMongoReader } from './mongo-requests.ts';
import { createRedisReader } from './redis-requests.ts';

/** A relay to a server that knows which requests went through it: each is one round trip. */
export interface Relay {
  /** As the server's, with the relay's port. */
  readonly url: string;
  /** Forgets what it has seen and returns it: the names of the requests in order, without upkeep. */
  take(): readonly string[];
  stop(): Promise<void>;
}

const readers = { 'mongodb:': createMongoReader, 'redis:': createRedisReader } as const;

/** What connections do for themselves, and what asks whether a server is there. */
const upkeep = new Set([
  'hello',
  'ismaster',
  'saslstart',
  'saslcontinue',
  'endsessions',
  'auth',
  'client',
  'info',
  'ping',
]);

/** Starts a relay to the server of a URL of MongoDB or Redis on the loopback interface. */
export async function startRelay(serverUrl: string): Promise<Relay> {
  const target = new URL(serverUrl);
  const createReader = readers[target.protocol as keyof typeof readers];
  const sockets = new Set<Socket>();
  let seen: string[] = [];

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const read = createReader((name) => {
      if (!upkeep.has(name)) seen.push(name);
    });
    client.on('data', read);
    client.pipe(upstream).pipe(client);
    for (const [own, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(own);
      own.on('error', () => other.destroy());
      own.on('close', () => {
        sockets.delete(own);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: urlWithPort(target, (server.address() as AddressInfo).port),
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function urlWithPort(target: URL, port: number): string {
  const url = new URL(target);
  url.port = String(port);
  if (url.protocol === 'mongodb:') {
    // A member of a replica set would lead its clients past the relay.
    url.searchParams.set('directConnection', 'true');
    url.pathname ||= '/';
  }
  return url.href;
}
