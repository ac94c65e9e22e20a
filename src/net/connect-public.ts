import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { isPublicAddress } from '../domain/network-address.ts';

/** What lies outside the process; tests put their own in its place. */
export interface Network {
  /** Returns every address of a host name, in the order in which they are to be tried; empty when it has none. */
  lookup(hostname: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The same as the machine itself looks names up: hosts file, search domains. Default: `lookup`. */
  lookupLocal?(hostname: string): Promise<readonly string[]>;
  /** Opens a TCP connection to an IP address. */
  open(address: string, port: number): Socket;
}

/** DNS itself (no hosts file, no search domains, no thread of the pool held by a slow name server), and plain TCP. */
export const internet: Network = {
  async lookup(hostname, signal) {
    const resolver = new Resolver({ timeout: 1_500, tries: 2 });
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  },
  async lookupLocal(hostname) {
    const answers = await lookup(hostname, { all: true }).catch(() => []);
    return answers.map(({ address }) => address);
  },
  open: (address, port) => connectTcp({ host: address, port, autoSelectFamily: false }),
};

/** Why no connection came about. The message holds no address. */
export class PublicConnectionError extends Error {
  readonly reason: 'not_public' | 'not_found' | 'unreachable';

  constructor(reason: PublicConnectionError['reason'], cause?: unknown) {
    super(messages[reason], { cause });
    this.name = 'PublicConnectionError';
    this.reason = reason;
  }
}

const messages = {
  not_public: 'the host must be public',
  not_found: 'the host could not be found',
  unreachable: 'the host could not be reached',
} as const;

export interface ConnectOptions {
  readonly network: Network;
  /** Certificate authorities in place of the platform's. */
  readonly ca?: string;
  /** Hosts, in lower case, that may have addresses that are not public; matched whole. Default: none. */
  readonly privateHosts?: ReadonlySet<string>;
}

const addressesTried = 4;
/** How long one address may take to answer while there is another to try. */
const patienceMs = 1_500;

/**
 * Returns the addresses of a host, in the order in which they are to be tried, each checked: a connection goes to one
 * of these and looks no name up again.
 *
 * @param host a host name, or an IP address without brackets.
 * @throws PublicConnectionError `not_found`, `not_public`; the signal's reason.
 */
export async function resolvePublic(
  host: string,
  { network, privateHosts }: ConnectOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const mayBePrivate = isPrivateHost(host, privateHosts);
  const addresses = isIP(host) === 0 ? await until(signal, lookUp(host)) : [host];
  if (addresses.length === 0) throw new PublicConnectionError('not_found');
  if (!mayBePrivate && !addresses.every(isPublicAddress)) throw new PublicConnectionError('not_public');
  return addresses.slice(0, addressesTried);

  function lookUp(hostname: string): Promise<readonly string[]> {
    return mayBePrivate && network.lookupLocal !== undefined
      ? network.lookupLocal(hostname)
      : network.lookup(hostname, signal);
  }
}

/** Tells whether the operator allows a host to be a private one. Case and one trailing dot do not matter. */
export function isPrivateHost(host: string, privateHosts: ReadonlySet<string> = new Set()): boolean {
  return privateHosts.has(host.toLowerCase().replace(/\.$/, ''));
}

/**
 * Opens a verified TLS connection to a public host, or to a private one that is allowed by name. The name is looked up once, all its addresses must be public, and
 * the connection goes to one of those same addresses, under the name (SNI, certificate) that was asked for.
 *
 * @param host a host name, or an IP address without brackets.
 * @throws PublicConnectionError; the signal's reason.
 */
export async function connectPublic(
  host: string,
  port: number,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const { network, ca } = options;
  const candidates = await resolvePublic(host, options, signal);
  const failures: unknown[] = [];
  for (const [index, address] of candidates.entries()) {
    signal.throwIfAborted();
    const isLast = index === candidates.length - 1;
    const patience = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    try {
      return await secure(network.open(address, port), host, ca, patience);
    } catch (error) {
      failures.push(error);
    }
  }
  signal.throwIfAborted();
  throw new PublicConnectionError('unreachable', new AggregateError(failures));
}

async function secure(
  socket: Socket,
  host: string,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const tls = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  // Whoever uses the connection hears of its end by other events too; none of them may end the process.
  tls.on('error', () => undefined);
  try {
    await once(tls, 'secureConnect', { signal });
    return tls;
  } catch (error) {
    socket.destroy();
    tls.destroy();
    throw error;
  }
}

/** Awaits `work`, but no longer than until the signal aborts. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
