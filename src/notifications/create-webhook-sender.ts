import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { limits } from '../domain/limits.ts';
import { isPublicAddress, isPublicHostname } from '../domain/network-address.ts';
import {
  type ConnectOptions,
  connectPublic,
  internet,
  PublicConnectionError,
} from '../net/connect-public.ts';
import { type OutgoingWebhook, WebhookFailure, type WebhookSender } from '../ports/webhook-sender.ts';

/** Answers after which trying again is of no use (RFC 9110, section 15.5.11). */
const gone = 410;

/**
 * Returns what posts webhooks as Standard Webhooks 1.0 has them (standardwebhooks.com). No proxy, no redirect, no
 * connection kept; of an answer only its status counts.
 */
export function createWebhookSender(options: Partial<ConnectOptions> = {}): WebhookSender {
  const connection = { ...options, network: options.network ?? internet };
  return {
    async send(webhook, signal) {
      const url = URL.parse(webhook.url);
      const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
      const isPublic = isIP(host) === 0 ? isPublicHostname(host) : isPublicAddress(host);
      if (url?.protocol !== 'https:' || !isPublic) {
        throw new WebhookFailure('the address is no https URL of a public host', true);
      }
      const response = await post(url, host, webhook, connection, signal);
      const { statusCode = 0 } = response;
      response.destroy();
      if (statusCode >= 200 && statusCode < 300) return;
      throw new WebhookFailure(`the receiver answered ${statusCode}`, statusCode === gone);
    },
  };
}

async function post(
  url: URL,
  host: string,
  webhook: OutgoingWebhook,
  connection: ConnectOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const socket = await connectPublic(host, Number(url.port || 443), connection, signal).catch(refuse);
  const body = Buffer.from(webhook.body);
  try {
    const outgoing = request({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': 'service-webhooks/1',
        ...signatureHeaders(webhook),
      },
      maxHeaderSize: limits.notification.responseHeaderBytes,
      signal,
    });
    // A failure after the answer began needs a listener still.
    outgoing.on('error', () => undefined).end(body);
    const [response] = (await once(outgoing, 'response', { signal })) as [IncomingMessage];
    return response;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw new WebhookFailure('the receiver did not answer', false, error);
  }
}

function signatureHeaders({ id, timestampMs, body, secret }: OutgoingWebhook) {
  const timestamp = new Date(timestampMs);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestampMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, timestamp, body),
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof PublicConnectionError)) throw error;
  throw new WebhookFailure(error.message, error.reason === 'not_public', error);
}
