import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from '../../certificate.ts';
import { freePort } from '../../free-port.ts';

export interface Dovecot {
  readonly host: string;
  readonly user: string;
  readonly password: string;
  /** TLS from the start. */
  readonly imapsPort: number;
  /** In cleartext, with STARTTLS. */
  readonly imapPort: number;
  /** PEM of its certificate. */
  readonly ca: string;
  stop(): Promise<void>;
}

/** A mail as it lies in a folder; the file name decides the order in which they get their numbers. */
export interface StoredMail {
  readonly folder?: 'Sent' | 'Archive';
  readonly isSeen?: boolean;
  readonly source: string;
}

/** `nobody`, when the tests run as root: Dovecot serves no mail as root. */
const nobody = 65_534;

/** Starts Dovecot as an ordinary user on free loopback ports, with a mailbox of the given mails in Maildir form. */
export async function startDovecot(program: string, mails: readonly StoredMail[]): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'));
  const host = 'mail.example.com';
  const user = 'ada@example.com';
  const password = 'IMAP-SECRET "\\ x';
  const [imapPort, imapsPort] = [await freePort(), await freePort()];
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: nobody, gid: nobody } : {};
  const certificate = selfSigned(host);
  const made: string[] = [folder];

  function file(name: string, content: string) {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    made.push(join(folder, name));
  }
  function directory(name: string) {
    mkdirSync(join(folder, name), { recursive: true });
    made.push(join(folder, name));
  }

  for (const name of ['run', 'state', 'mail']) directory(name);
  for (const box of ['', '.Sent', '.Archive']) {
    for (const part of ['', '/cur', '/new', '/tmp']) directory(`mail/${box}${part}`);
  }
  for (const [index, mail] of mails.entries()) {
    const box = mail.folder === undefined ? '' : `.${mail.folder}`;
    const name = `${1_700_000_000 + index}.M1P1.test:2,${mail.isSeen === true ? 'S' : ''}`;
    file(`mail/${box}/cur/${name}`, mail.source.replaceAll(/\r?\n/g, '\r\n'));
  }
  file('cert.pem', certificate.cert);
  file('key.pem', certificate.key);
  const name = isRoot ? 'nobody' : (process.env.USER ?? 'nobody');
  file(
    'passwd',
    `${user}:{PLAIN}${password}:${owner.uid ?? process.getuid?.()}:${owner.gid ?? process.getgid?.()}\n`,
  );
  file(
    'dovecot.conf',
    configuration({ folder, name, group: isRoot ? 'nogroup' : name, imapPort, imapsPort }),
  );
  if (isRoot) for (const path of made) chownSync(path, nobody, nobody);
  chmodSync(folder, 0o755);

  const child = spawn(program, ['-F', '-c', join(folder, 'dovecot.conf')], { ...owner, stdio: 'pipe' });
  const ended = once(child, 'exit');
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  await untilListening(child, imapsPort, () => output.join('') + log(folder));
  return {
    host,
    user,
    password,
    imapPort,
    imapsPort,
    ca: certificate.cert,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(at: {
  readonly folder: string;
  readonly name: string;
  readonly group: string;
  readonly imapPort: number;
  readonly imapsPort: number;
}): string {
  const { folder, name, group, imapPort, imapsPort } = at;
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
ssl_dh =
disable_plaintext_auth = no
auth_username_format = %Lu
first_valid_uid = 1
mail_location = maildir:${folder}/mail
passdb {
  driver = passwd-file
  args = scheme=PLAIN ${folder}/passwd
}
userdb {
  driver = passwd-file
  args = ${folder}/passwd
  default_fields = home=${folder}
}
namespace inbox {
  inbox = yes
  separator = .
  mailbox Sent {
    special_use = \\Sent
  }
  mailbox Archive {
    special_use = \\Archive
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = ${imapsPort}
    ssl = yes
  }
}
`;
}

async function untilListening(child: ChildProcess, port: number, output: () => string): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (child.exitCode === null && Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`Dovecot did not start: ${output()}`);
}

function log(folder: string): string {
  try {
    return readFileSync(join(folder, 'dovecot.log'), 'utf8');
  } catch {
    return '';
  }
}
