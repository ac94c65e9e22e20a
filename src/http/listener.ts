import { createServer as createHttp1Server, type Server as Http1Server, type ServerOptions } from 'node:http';
import {
  createServer as createHttp2Server,
  type Http2Server,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Request, Response } from './call.ts';
import { answerUnreadable } from './unreadable-request.ts';

export interface TlsOptions {
  /** Certificate chain, PEM. */
  readonly cert: string | Buffer;
  /** Private key, PEM. */
  readonly key: string | Buffer;
}

export interface ListenerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often connections are held against their time limits. */
  readonly connectionsCheckingIntervalMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly idleHttp2SessionMs: number;
  readonly http2StreamsMax: number;
}

export interface ListenerOptions {
  readonly onRequest: (req: Request, res: Response, expectsContinue: boolean) => void;
  /** Takes a stream of HTTP/2 for itself, and tells whether it did. */
  readonly onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;
  readonly limits: ListenerLimits;
  /** Address prefix of the `type` of problem documents. */
  readonly errorsBase: string;
  readonly tls?: TlsOptions | undefined;
}

export interface Listener {
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Stops listening and asks every connection to end; resolves when the last one has. Ends all of them at `signal`. */
  close(signal: AbortSignal): Promise<void>;
  readonly isClosing: boolean;
}

/** How often a closing listener looks for connections that have become idle. */
const sweepMs = 25;

/**
 * Returns a listener that takes HTTP/1 and HTTP/2 on one port: in the clear by the first bytes of a connection
 * (RFC 9113, section 3.4: prior knowledge), over TLS by ALPN.
 */
export function createListener(options: ListenerOptions): Listener {
  const { onRequest, onStream, limits, errorsBase, tls } = options;
  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: limits.http2StreamsMax } });
  const http1 = tls === undefined ? createHttp1Server(http1Options(limits)) : createTlsServer(limits, tls);
  const sessions = trackSessions(http2, limits);
  const sockets = new Set<Socket>();
  /** Connections that have not said yet what they speak, by their other end. */
  const undecided = new Map<string, Socket>();
  http1.on('request', (req: Request, res: Response) => onRequest(req, res, false));
  http1.on('checkContinue', (req: Request, res: Response) => onRequest(req, res, true));
  // An expectation that nobody knows may be passed over (RFC 9110, section 10.1.1); Node would answer without a body.
  http1.on('checkExpectation', (req: Request, res: Response) => onRequest(req, res, false));
  http2.on('stream', (stream, headers, _flags, rawHeaders) => {
    if (headers[':method'] === 'CONNECT') stream.respond({ ':status': 405 }, { endStream: true });
    else if (!onStream(stream, headers)) serveCompatibly(stream, headers, rawHeaders);
  });
  http2.on('sessionError', ignore);
  http1.on('clientError', (error, socket) => answerUnreadable(error, socket, errorsBase));
  takeOver(http1, tls === undefined ? 'connection' : 'secureConnection', (socket, serveHttp1) => {
    socket.on('error', ignore);
    if (tls !== undefined) {
      undecided.delete(otherEnd(socket));
      if ((socket as TLSSocket).alpnProtocol === 'h2') serveHttp2(socket);
      else serveHttp1(socket);
      return;
    }
    sniff(socket, limits.headersTimeoutMs, (protocol) => {
      undecided.delete(otherEnd(socket));
      if (protocol === 'http2') serveHttp2(socket);
      else if (protocol === 'http1') serveHttp1(socket);
    });
  });
  http1.prependListener('connection', (socket) => {
    const end = otherEnd(socket);
    sockets.add(socket);
    undecided.set(end, socket);
    socket.once('close', () => {
      sockets.delete(socket);
      undecided.delete(end);
    });
  });
  let isClosing = false;
  return {
    get isClosing() {
      return isClosing;
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        http1.once('error', reject);
        http1.listen(port, host, () => {
          http1.off('error', reject);
          resolve(http1.address() as AddressInfo);
        });
      }),
    close: (signal) => {
      isClosing = true;
      return drain(signal);
    },
  };

  function drain(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sweep = (): void => {
        for (const socket of signal.aborted ? sockets : undecided.values()) socket.destroy();
        http1.closeIdleConnections();
        for (const session of sessions) if (!session.closed) session.close();
      };
      const timer = setInterval(sweep, sweepMs);
      signal.addEventListener('abort', sweep);
      http1.close(() => {
        clearInterval(timer);
        signal.removeEventListener('abort', sweep);
        resolve();
      });
      sweep();
    });
  }

  /**
   * Sockets of an HTTP/1 server stay half open when their client ends them; a session would then never learn that its
   * client is gone.
   */
  function serveHttp2(socket: Socket): void {
    socket.allowHalfOpen = false;
    http2.emit('connection', socket);
  }

  /** As Node does for listeners of 'request', which cannot be asked for one stream and not for another. */
  function serveCompatibly(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: string[],
  ): void {
    const req = new Http2ServerRequest(stream, headers, {}, rawHeaders) as unknown as Request;
    const res = new Http2ServerResponse(stream) as unknown as Response;
    onRequest(req, res, headers.expect === '100-continue');
  }
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Reads a connection's first bytes, gives them back, and tells which protocol they speak. */
function sniff(
  socket: Socket,
  timeoutMs: number,
  decide: (protocol: 'http1' | 'http2' | undefined) => void,
): void {
  let head: Buffer = Buffer.alloc(0);
  const settle = (protocol: 'http1' | 'http2' | undefined): void => {
    clearTimeout(timer);
    socket.off('readable', onReadable);
    socket.off('close', onClose);
    if (head.length > 0) socket.unshift(head);
    decide(protocol);
  };
  const onReadable = (): void => {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) return;
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const length = Math.min(head.length, preface.length);
    if (preface.compare(head, 0, length, 0, length) !== 0) settle('http1');
    else if (length === preface.length) settle('http2');
  };
  const onClose = (): void => settle(undefined);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.on('readable', onReadable);
  socket.on('close', onClose);
}

/**
 * Puts a function before a server's own listener for connections. The HTTP/1 server has to be the one that listens:
 * Node starts its watch over slow clients on 'listening' alone.
 */
function takeOver(
  server: Http1Server,
  event: 'connection' | 'secureConnection',
  onConnection: (socket: Socket, serve: (socket: Socket) => void) => void,
): void {
  const own = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) =>
    onConnection(socket, (ready) => {
      for (const listener of own) listener.call(server, ready);
    }),
  );
}

/** Node never closes an idle HTTP/2 session: this does, sparing those with open streams. */
function trackSessions(http2: Http2Server, { idleHttp2SessionMs }: ListenerLimits): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  http2.on('session', (session) => {
    let streams = 0;
    let timer = setTimeout(() => session.close(), idleHttp2SessionMs);
    sessions.add(session);
    session.on('stream', (stream) => {
      clearTimeout(timer);
      streams++;
      stream.on('error', ignore);
      stream.once('close', () => {
        streams--;
        if (streams > 0 || session.closed) return;
        clearTimeout(timer);
        timer = setTimeout(() => session.close(), idleHttp2SessionMs);
      });
    });
    session.once('close', () => {
      clearTimeout(timer);
      sessions.delete(session);
    });
  });
  return sessions;
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function http1Options(limits: ListenerLimits): ServerOptions {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckingIntervalMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    noDelay: true,
    // Node's own refusal has no body; `onRequest` refuses with one.
    requireHostHeader: false,
  };
}

function createTlsServer(limits: ListenerLimits, tls: TlsOptions): Http1Server {
  const server = createHttpsServer({
    ...http1Options(limits),
    ...tls,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: limits.headersTimeoutMs,
  });
  // Node's own listener would have the failure answered, on a connection that nothing can be sent on.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

function ignore(): void {}
