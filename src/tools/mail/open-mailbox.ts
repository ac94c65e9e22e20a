import type { ConnectionTestResult } from '../../ports/connection-tester.ts';
import type { Mailbox } from '../../ports/mailbox.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import { openGmailMailbox, testGmail } from './gmail-mailbox.ts';
import { openGraphMailbox, testGraph } from './graph-mailbox.ts';
import { openImapMailbox, testImap } from './imap-mailbox.ts';
import type { ImapParts } from './imap-session.ts';
import type { MailSiteParts } from './mail-site.ts';

export const mailKinds = ['imap', 'graph', 'gmail'] as const;
export type MailSettings = OpenedConnection<(typeof mailKinds)[number]>['settings'];

export type MailParts = MailSiteParts & ImapParts;

export function openMailbox(parts: MailParts, settings: MailSettings): Mailbox {
  switch (settings.kind) {
    case 'imap':
      return openImapMailbox(parts, settings);
    case 'graph':
      return openGraphMailbox(parts, settings);
    case 'gmail':
      return openGmailMailbox(parts, settings);
  }
}

export function testMailbox(
  parts: MailParts,
  settings: MailSettings,
  signal: AbortSignal,
): Promise<ConnectionTestResult> {
  switch (settings.kind) {
    case 'imap':
      return testImap(parts, settings, signal);
    case 'graph':
      return testGraph(parts, settings, signal);
    case 'gmail':
      return testGmail(parts, settings, signal);
  }
}

/** What nobody but the owner of a mailbox knows. */
export function mailSecret(settings: MailSettings): string {
  switch (settings.kind) {
    case 'imap':
      return settings.password;
    case 'graph':
      return settings.clientSecret;
    case 'gmail':
      return settings.refreshToken;
  }
}
