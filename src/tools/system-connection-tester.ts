import type { ConnectionSettings } from '../domain/connection.ts';
import { limits } from '../domain/limits.ts';
import type { ConnectionTester, ConnectionTestResult } from '../ports/connection-tester.ts';
import { ToolFailure } from '../ports/tool.ts';
import type { SystemClient } from './http/system-client.ts';
import { type MailParts, testMailbox } from './mail/open-mailbox.ts';
import { testJira } from './tracker/jira.ts';
import { testConfluence } from './wiki/confluence.ts';

export interface SystemTesterParts {
  readonly client: SystemClient;
  readonly mail: MailParts;
}

/** Signs in to trackers, wikis and mailboxes and reads a little, within 20 s. Nothing is written. */
export function createSystemConnectionTester({ client, mail }: SystemTesterParts): ConnectionTester {
  async function testSystem(
    settings: ConnectionSettings,
    signal: AbortSignal,
  ): Promise<ConnectionTestResult> {
    switch (settings.kind) {
      case 'jira':
        return testJira(client, settings, signal);
      case 'confluence':
        return testConfluence(client, settings, signal);
      case 'imap':
      case 'graph':
      case 'gmail':
        return testMailbox(mail, settings, signal);
      default:
        throw new TypeError(`no system of the kind ${settings.kind} is known here`);
    }
  }

  return {
    async test(_connection, settings) {
      const late = AbortSignal.timeout(limits.systems.connectionTestMs);
      try {
        return await testSystem(settings, late);
      } catch (error) {
        if (late.aborted) return { ok: false, detail: 'the system did not answer in time' };
        if (error instanceof ToolFailure) return { ok: false, detail: error.message };
        throw error;
      }
    },
  };
}
