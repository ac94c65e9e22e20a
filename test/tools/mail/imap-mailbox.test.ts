import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectOptions } from '../../../src/net/connect-public.ts';
import type { MailQuery } from '../../../src/ports/mailbox.ts';
import { ToolFailure } from '../../../src/ports/tool.ts';
import { createCircuitBreaker } from '../../../src/tools/http/circuit-breaker.ts';
import { openImapMailbox, testImap } from '../../../src/tools/mail/imap-mailbox.ts';
import type { ImapParts, ImapSettings } from '../../../src/tools/mail/imap-session.ts';
import { searchTerms } from '../../../src/tools/text/search-terms.ts';
import { describeWith, findProgram } from '../../programs.ts';
import { injections } from '../injections.ts';
import { type Dovecot, type StoredMail, startDovecot } from './dovecot.ts';

const { signal } = new AbortController();
const query: MailQuery = { terms: [], folder: 'inbox', limit: 10 };

function mail(number: number, subject: string, body: string, headers = ''): string {
  const day = String(number).padStart(2, '0');
  return `From: "Priya Raman" <priya@example.com>\nTo: Ada <ada@example.com>\nSubject: ${subject}\nDate: ${day} May 2026 08:00:00 +0000\nMessage-ID: <${number}@example.com>\nMIME-Version: 1.0\n${headers || 'Content-Type: text/plain; charset=utf-8\n'}\n${body}\n`;
}

const boundary = 'Content-Type: multipart/mixed; boundary=x\n';
const mails: readonly StoredMail[] = [
  { source: mail(1, 'Backup alert', 'The backup took 4 hours.') },
  {
    source: mail(
      2,
      '=?utf-8?B?UmVjaG51bmcgZsO8ciBNw7xsbGVy?=',
      'Gr=C3=BC=C3=9Fe an alle',
      'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n',
    ),
    isSeen: true,
  },
  {
    source: mail(
      3,
      'Latin',
      'Sch\\=F6n'.replace('\\', ''),
      'Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n',
    ),
  },
  {
    source: mail(
      4,
      'Only HTML',
      '<html><head><style>p{}</style></head><body><p>Two are <b>without</b></p><script>x()</script></body></html>',
      'Content-Type: text/html\n',
    ),
  },
  {
    source: mail(
      5,
      'With attachment',
      `--x\nContent-Type: text/plain; name=a.txt\nContent-Disposition: attachment; filename=a.txt\n\nattached words\n--x\nContent-Type: text/plain\n\nsee the attachment\n--x--`,
      boundary,
    ),
  },
  { source: mail(6, 'Nothing', '', 'Content-Type: image/png\nContent-Transfer-Encoding: base64\n') },
  { source: mail(7, 'Long', `needle ${'x'.repeat(300_000)}`) },
  { folder: 'Sent', source: mail(8, 'What I sent', 'Hello') },
];

const program = findProgram('dovecot');

describeWith({ name: 'dovecot', path: program }, 'a mailbox over IMAP', () => {
  let dovecot: Dovecot;
  beforeAll(async () => {
    dovecot = await startDovecot(program ?? '', mails);
  });
  afterAll(() => dovecot?.stop());

  function settings(fields: Partial<ImapSettings> = {}): ImapSettings {
    const { host, user, password, imapsPort } = dovecot;
    return { kind: 'imap', host, port: imapsPort, user, password, tls: true, ...fields };
  }

  function parts(fields: Partial<ConnectOptions> = {}): ImapParts {
    return {
      ca: dovecot.ca,
      privateHosts: new Set([dovecot.host]),
      network: { lookup: async () => ['127.0.0.1'], open: (address, port) => connect(port, address) },
      breaker: createCircuitBreaker({ now: () => 0 }),
      ...fields,
    };
  }

  const search = (fields: Partial<MailQuery>) =>
    openImapMailbox(parts(), settings()).search({ ...query, ...fields }, signal);
  const subjects = async (fields: Partial<MailQuery>) =>
    (await search(fields)).rows.map(({ subject }) => subject);

  test('is tested by signing in and opening the inbox', async () => {
    expect(await testImap(parts(), settings(), signal)).toEqual({
      ok: true,
      detail: 'signed in to mail.example.com; the inbox holds 7 mails',
    });
  });

  test('shows the newest first, with text decoded, from HTML where there is no other, never from attachments', async () => {
    const { rows, total } = await search({});
    expect(total).toBe(7);
    expect(rows.map(({ subject, text, unread }) => [subject, text.slice(0, 40).trim(), unread])).toEqual([
      ['Long', `needle ${'x'.repeat(33)}`, true],
      ['Nothing', '', true],
      ['With attachment', 'see the attachment', true],
      ['Only HTML', 'Two are without', true],
      ['Latin', 'Schön', true],
      ['Rechnung für Müller', 'Grüße an alle', false],
      ['Backup alert', 'The backup took 4 hours.', true],
    ]);
    expect(rows[6]).toMatchObject({
      id: '<1@example.com>',
      from: 'Priya Raman <priya@example.com>',
      to: 'Ada <ada@example.com>',
      date: '2026-05-01T08:00:00.000Z',
      link: null,
    });
    expect(rows[0]?.text.length).toBeLessThanOrEqual(20_000);
  });

  test('marks nothing as seen', async () => {
    await search({});
    expect((await search({})).rows.filter(({ unread }) => unread === true)).toHaveLength(6);
  });

  test.for([
    [{ terms: ['backup'] }, ['Backup alert']],
    [{ terms: ['backup', 'hours'] }, ['Backup alert']],
    [{ terms: ['backup', 'needle'] }, []],
    [{ terms: ['took 4 hours'] }, ['Backup alert']],
    [{ terms: ['Müller'] }, ['Rechnung für Müller']],
    [{ terms: ['Grüße', 'alle'] }, ['Rechnung für Müller']],
    [{ subject: 'rechnung', from: 'priya', to: 'ada' }, ['Rechnung für Müller']],
    [{ from: 'nobody@example.com' }, []],
    [{ since: '2026-05-03', before: '2026-05-05' }, ['Only HTML', 'Latin']],
    [{ since: '2030-01-01' }, []],
    [{ folder: 'sent' }, ['What I sent']],
    [{ folder: 'archive' }, []],
  ] as const)('answers %j with %j', async ([fields, found]) => {
    expect(await subjects(fields)).toEqual(found);
  });

  test('has no folder all where the server names none', async () => {
    await expect(search({ folder: 'all' })).rejects.toThrow('has no folder all');
  });

  test('is paged by the number of the last mail, as long as the folder is the same', async () => {
    const first = await search({ limit: 3 });
    expect(first.nextCursor).toMatch(/^\d+:5$/);
    const second = await search({ limit: 3, cursor: first.nextCursor ?? '' });
    const third = await search({ limit: 3, cursor: second.nextCursor ?? '' });
    expect([first, second, third].flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(
      [7, 6, 5, 4, 3, 2, 1].map((number) => `<${number}@example.com>`),
    );
    expect(third.nextCursor).toBeUndefined();
    await expect(search({ cursor: '1:5' })).rejects.toThrow('the folder changed');
  });

  test.for(injections)('finds nothing, and nothing else, for %j', async (attempt) => {
    const terms = searchTerms(attempt);
    // What is harmless to look for may be found; what would be another key, or the end of one, finds no more than that.
    const { rows } = await search({ terms: [...terms, 'nowhere-to-be-found'], from: attempt });
    expect(rows).toEqual([]);
  });

  test('may start in cleartext only where the operator allows the host by name', async () => {
    const cleartext = settings({ port: dovecot.imapPort, tls: false });
    expect(await testImap(parts(), cleartext, signal)).toMatchObject({ ok: true });
    const refused = testImap(parts({ privateHosts: new Set() }), cleartext, signal);
    await expect(refused).rejects.toThrow(/must be public.*ALLOWED_PRIVATE_HOSTS/);
  });

  test.for([
    ['a wrong password', { password: 'WRONG-SECRET' }, {}, /did not accept the credentials/],
    [
      'another certificate',
      { host: 'other.example.com' },
      { privateHosts: new Set(['other.example.com']) },
      /other\.example\.com/,
    ],
    ['an unknown authority', {}, { ca: undefined }, /certificate/],
    ['nobody there', { port: 1 }, {}, /could not|in time/],
  ] as const)('fails with %s, and the password is in no message', async ([, fields, options, message]) => {
    const failed = testImap(parts(options as Partial<ConnectOptions>), settings(fields), signal);
    const error: unknown = await failed.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolFailure);
    expect((error as Error).message).toMatch(message);
    expect(`${(error as Error).stack} ${JSON.stringify((error as Error).cause ?? '')}`).not.toContain(
      'SECRET',
    );
  });

  test('lets go when the caller leaves', async () => {
    const caller = new AbortController();
    const reason = new Error('left');
    const found = openImapMailbox(parts(), settings()).search(query, caller.signal);
    caller.abort(reason);
    await expect(found).rejects.toBe(reason);
  });
});

describe('what goes over the wire', () => {
  let received: string;
  let port: number;
  const server = createServer((socket) => speakImap(socket, (text) => (received += text)));
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());

  async function searchCommand(fields: Partial<MailQuery>): Promise<readonly string[]> {
    received = '';
    const parts = {
      network: { lookup: async () => ['127.0.0.1'], open: () => connect(port, '127.0.0.1') },
      privateHosts: new Set(['mail.example.com']),
      breaker: createCircuitBreaker({ now: () => 0 }),
    };
    const settings = {
      kind: 'imap',
      host: 'mail.example.com',
      port,
      user: 'u',
      password: 'p',
      tls: false,
    } as const;
    await openImapMailbox(parts, settings).search({ ...query, ...fields }, signal);
    return readCommands(received);
  }

  describe.for(['from', 'to', 'subject'] as const)('keeps %s a value', (field) => {
    let harmless: readonly string[];
    beforeAll(async () => {
      harmless = await searchCommand({ [field]: 'harmless' });
      expect(harmless).toContain(`UID SEARCH ${field.toUpperCase()} S`);
      // For reading only.
      expect(harmless).toContain('EXAMINE INBOX');
    });

    test.for(injections)('%j', async (attempt) => {
      expect(await searchCommand({ [field]: attempt })).toEqual(harmless);
    });
  });

  test.for(injections)('keeps the words of a text values: %j', async (attempt) => {
    const terms = searchTerms(attempt);
    const commands = await searchCommand({ terms });
    expect(commands.filter((command) => command.includes('SEARCH'))).toEqual([
      `UID SEARCH ${terms.map(() => 'TEXT S').join(' ')}`,
    ]);
  });
});

const untaggedAnswers: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1\r\n',
  EXAMINE: '* 0 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n',
  SEARCH: '* SEARCH\r\n',
};

/** A server that takes every command, literals included, and has one empty folder. */
function speakImap(socket: Socket, note: (text: string) => void): void {
  let rest = '';
  socket.on('error', () => undefined).setNoDelay();
  socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
  socket.on('data', (chunk) => {
    rest += chunk.toString('latin1');
    for (;;) {
      const end = commandEnd(rest, () => void socket.write('+ go on\r\n'));
      if (end === undefined) return;
      const command = rest.slice(0, end);
      rest = rest.slice(end);
      note(command);
      const [tag = '', name = '', second = ''] = command.split(/[ \r\n]/);
      const verb = name === 'UID' ? second : name;
      // In one write, which need not wait for the acknowledgement of another.
      socket.write(`${untaggedAnswers[verb] ?? ''}${tag} OK done\r\n`);
      if (verb === 'LOGOUT') socket.end();
    }
  });
}

let announced = 0;

/** Where the first command of the bytes ends; undefined while it is not all there. */
function commandEnd(bytes: string, onLiteral: () => void): number | undefined {
  let from = 0;
  for (;;) {
    const line = bytes.indexOf('\r\n', from);
    if (line < 0) return undefined;
    const literal = /\{(\d+)(\+?)\}$/.exec(bytes.slice(from, line));
    if (literal === null) {
      announced = 0;
      return line + 2;
    }
    if (literal[2] === '' && announced <= line) {
      announced = line + 1;
      onLiteral();
    }
    from = line + 2 + Number(literal[1]);
    if (bytes.length < from) return undefined;
  }
}

/** The commands with each string, literal or value in the place of one as S, by RFC 3501's grammar. */
function readCommands(bytes: string): readonly string[] {
  const commands: string[] = [];
  let rest = bytes;
  while (rest !== '') {
    const end = commandEnd(rest, () => undefined);
    if (end === undefined) throw new Error(`half a command: ${JSON.stringify(rest)}`);
    commands.push(shapeOf(rest.slice(0, end - 2)));
    rest = rest.slice(end);
  }
  return commands;
}

const valueKeys = new Set(['FROM', 'TO', 'SUBJECT', 'TEXT']);

function shapeOf(command: string): string {
  const words: string[] = [];
  let rest = command.replace(/^\S+ /, '');
  while (rest !== '') {
    const literal = /^\{(\d+)\+?\}\r\n/.exec(rest);
    const string = /^"(?:[^"\\\r\n]|\\["\\])*"/.exec(rest);
    const atom = /^[^\s"{\\%*()]+/.exec(rest);
    const isValue = valueKeys.has(words.at(-1) ?? '');
    if (literal !== null) {
      words.push('S');
      rest = rest.slice(literal[0].length + Number(literal[1]));
    } else if (string !== null || (atom !== null && isValue)) {
      words.push('S');
      rest = rest.slice((string ?? atom)?.[0].length);
    } else {
      const word = atom?.[0] ?? rest[0] ?? '';
      words.push(word);
      rest = rest.slice(word.length);
    }
    rest = rest.replace(/^ /, '');
  }
  return words.join(' ').replace('CHARSET UTF-8 ', '');
}
