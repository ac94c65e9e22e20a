import { isIP } from 'node:net';
import { ImapFlow } from 'imapflow';
import { limits } from '../../domain/limits.ts';
import {
  type ConnectOptions,
  isPrivateHost,
  PublicConnectionError,
  resolvePublic,
} from '../../net/connect-public.ts';
import { ToolFailure } from '../../ports/tool.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import type { CallOutcome, CircuitBreaker } from '../http/circuit-breaker.ts';

export type ImapSettings = OpenedConnection<'imap'>['settings'];

export interface ImapParts extends ConnectOptions {
  readonly breaker: CircuitBreaker;
}

/**
 * Signs in to an IMAP server, does the work and signs out, all within 30 s. The server's address is checked like every
 * other; a password crosses a public network only over TLS.
 *
 * @throws ToolFailure in words of this service; the signal's reason.
 */
export async function withImap<T>(
  parts: ImapParts,
  settings: ImapSettings,
  callerSignal: AbortSignal,
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const { breaker } = parts;
  const { host } = settings;
  callerSignal.throwIfAborted();
  if (!breaker.enter(host)) {
    throw new ToolFailure(`${host} did not answer several times in a row; it is tried again later`);
  }
  const late = AbortSignal.timeout(limits.systems.mailTimeoutMs);
  const signal = AbortSignal.any([callerSignal, late]);
  let outcome: CallOutcome = 'answered';
  let client: ImapFlow | undefined;
  const close = () => client?.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const [address] = await resolvePublic(host, parts, signal);
    signal.throwIfAborted();
    client = createClient(parts, settings, address ?? host);
    // Without a listener, a failure between two commands would end the process.
    client.on('error', () => undefined);
    await client.connect();
    const result = await work(client);
    await client.logout();
    return result;
  } catch (error) {
    if (callerSignal.aborted) {
      outcome = 'unknown';
      throw callerSignal.reason;
    }
    outcome = isFailedSite(error, late) ? 'failed' : 'answered';
    throw toFailure(error, host, late.aborted);
  } finally {
    signal.removeEventListener('abort', close);
    client?.close();
    breaker.report(host, outcome);
  }
}

function createClient({ ca, privateHosts }: ImapParts, settings: ImapSettings, address: string): ImapFlow {
  const { host, port, user, password, tls } = settings;
  const { connectTimeoutMs, requestTimeoutMs, responseBytes } = limits.systems;
  return new ImapFlow({
    host: address,
    port,
    secure: tls,
    // Cleartext stays inside a network that the operator knows.
    ...(tls ? {} : { doSTARTTLS: !isPrivateHost(host, privateHosts) }),
    ...(isIP(host) === 0 && { servername: host }),
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: requestTimeoutMs,
    maxLineLength: responseBytes,
    maxLiteralSize: responseBytes,
    maxResponseSize: 2 * responseBytes,
  });
}

/** Whether the server is at fault, and not the account or the question. */
function isFailedSite(error: unknown, late: AbortSignal): boolean {
  if (late.aborted) return true;
  const { authenticationFailed, responseStatus } = error as {
    authenticationFailed?: boolean;
    responseStatus?: string;
  };
  return !(error instanceof ToolFailure) && authenticationFailed !== true && responseStatus === undefined;
}

/** What the library says may repeat what was sent; none of it goes on. */
function toFailure(error: unknown, host: string, isLate: boolean): ToolFailure {
  if (error instanceof ToolFailure) return error;
  if (isLate) return new ToolFailure(`${host} did not answer in time`);
  if (error instanceof PublicConnectionError) {
    const hint = error.reason === 'not_public' ? '; the operator can allow it (ALLOWED_PRIVATE_HOSTS)' : '';
    return new ToolFailure(`${host}: ${error.message}${hint}`);
  }
  const { authenticationFailed, code } = error as { authenticationFailed?: boolean; code?: string };
  if (authenticationFailed === true) {
    return new ToolFailure(
      'the mail server did not accept the credentials of the connection; an administrator has to renew them',
    );
  }
  if (code?.includes('TIMEOUT') === true) return new ToolFailure(`${host} did not answer in time`);
  if (code?.includes('CERT') === true || code?.includes('SELF_SIGNED') === true) {
    return new ToolFailure(`${host} has no certificate that can be trusted`);
  }
  return new ToolFailure(`the mail server at ${host} could not do it`);
}
