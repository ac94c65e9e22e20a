import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createSmtpMailer } from '../../src/notifications/create-smtp-mailer.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A mail server as far as a client can see: it takes every mail, or answers RCPT with `refusal`. */
async function startMailServer(refusal?: string) {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let inData = false;
    let rest = '';
    const answerTo = (line: string): string | undefined => {
      lines.push(line);
      if (inData) {
        if (line !== '.') return undefined;
        inData = false;
        return '250 taken';
      }
      if (line.startsWith('EHLO')) return '250 here';
      if (line.startsWith('RCPT') && refusal !== undefined) return refusal;
      if (line === 'DATA') {
        inData = true;
        return '354 go on';
      }
      return line === 'QUIT' ? '221 bye' : '250 yes';
    };
    socket.write('220 mail\r\n');
    socket.setEncoding('utf8').on('data', (text: string) => {
      rest += text;
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const answer = answerTo(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (answer !== undefined) socket.write(`${answer}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { lines, url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const never = new AbortController().signal;
const mail = { to: 'a@example.com', subject: 'Agent Größe finished', text: 'Fertig: ü\n', id: 'run_1_0' };

test('a mail is handed to the server with its sender, receiver, subject and id', async () => {
  const server = await startMailServer();
  const mailer = createSmtpMailer({ url: server.url, from: 'Service <service@example.org>' });
  closers.push(() => mailer.close());
  await mailer.send(mail, never);
  expect(server.lines).toContain('MAIL FROM:<service@example.org>');
  expect(server.lines).toContain('RCPT TO:<a@example.com>');
  expect(server.lines).toContain('Message-ID: <run_1_0@example.org>');
  expect(server.lines.find((line) => line.startsWith('Subject:'))).toContain('=?UTF-8?');
});

test('line breaks in names do not become headers', async () => {
  const server = await startMailServer();
  const mailer = createSmtpMailer({ url: server.url, from: 'service@example.org' });
  closers.push(() => mailer.close());
  await mailer.send({ ...mail, subject: 'x\r\nBcc: b@example.com' }, never);
  expect(server.lines.filter((line) => /^bcc:/i.test(line))).toEqual([]);
  expect(server.lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(1);
});

test('an address is one receiver, never a list', async () => {
  const server = await startMailServer();
  const mailer = createSmtpMailer({ url: server.url, from: 'service@example.org' });
  closers.push(() => mailer.close());
  await mailer.send({ ...mail, to: 'a@example.com,b@example.com' }, never).catch(() => undefined);
  expect(
    server.lines.filter((line) => line.includes('b@example.com>') && line.startsWith('RCPT TO:<b')),
  ).toEqual([]);
});

test('a refusal of the server fails', async () => {
  const server = await startMailServer('550 no such user');
  const mailer = createSmtpMailer({ url: server.url, from: 'service@example.org' });
  closers.push(() => mailer.close());
  await expect(mailer.send(mail, never)).rejects.toThrow('550');
});

test('an abort ends the wait', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closers.push(async () => silent.close());
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const mailer = createSmtpMailer({ url, from: 'service@example.org' });
  closers.push(() => mailer.close());
  const controller = new AbortController();
  const sending = mailer.send(mail, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sending).rejects.toThrow('enough');
});
