import { createTransport } from 'nodemailer';
import type { Mailer } from '../ports/mailer.ts';

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly url: string;
  /** Sender of every mail. */
  readonly from: string;
}

/**
 * Returns what hands mail to a mail server over SMTP (RFC 5321). Connections are pooled; the server's certificate is
 * checked, and a mail holds nothing that is read from a file or an address.
 */
export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.replace(/^.*@/, '').replace(/[^A-Za-z0-9.-]/g, '');
  return {
    async send({ to, subject, text, id }, signal) {
      signal.throwIfAborted();
      const sending = transport.sendMail({
        from,
        // As an object: an address is never read as a list of them.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      await orAborted(sending, signal);
    },
    async close() {
      transport.close();
    },
  };
}

async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
