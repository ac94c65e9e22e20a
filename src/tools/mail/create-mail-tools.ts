import { sampleSite } from '../../domain/organization.ts';
import type { Random } from '../../ports/random.ts';
import type { Tool, ToolProvider, ToolRequest } from '../../ports/tool.ts';
import type { ToolConnections } from '../../ports/tool-connections.ts';
import { oneLine } from '../text/clean-text.ts';
import { createPageTokens } from '../text/page-token.ts';
import { sampleLabel } from '../text/sample-systems.ts';
import { type MailParts, mailKinds, mailSecret, openMailbox } from './open-mailbox.ts';
import { sampleMailbox } from './sample-mailbox.ts';
import { createSearchMailTool, type OfferedMailbox } from './search-mail-tool.ts';

export interface MailToolsDependencies {
  readonly connections: ToolConnections;
  readonly parts: MailParts;
  readonly random: Random;
}

/** Mailboxes that one tool offers. */
const mailboxesMax = 10;

/**
 * Offers search_mail to keys with mail.read whose actor has an active mail connection, of its own or of the
 * organization. The sample mailbox takes its place only in organizations that pinned a sample system.
 */
export function createMailTools({ connections, parts, random }: MailToolsDependencies): ToolProvider {
  async function reachable({ principal }: ToolRequest): Promise<readonly OfferedMailbox[]> {
    const found = await connections.activeOf(principal, mailKinds);
    const { trackerSite, wikiSite } = principal.organization;
    if (found.length === 0 && (trackerSite === sampleSite || wikiSite === sampleSite)) {
      return [{ name: sampleLabel, mailbox: sampleMailbox, pageTokens: createPageTokens(sampleSite) }];
    }
    const used = new Set<string>();
    return found.slice(0, mailboxesMax).map(({ connection, settings }) => ({
      name: uniqueName(oneLine(connection.name, 100), used),
      mailbox: openMailbox(parts, settings),
      pageTokens: createPageTokens(`${connection.id}/${mailSecret(settings)}`),
    }));
  }

  return {
    async toolsFor(request): Promise<readonly Tool[]> {
      if (!request.principal.apiKey.scopes.includes('mail.read')) return [];
      const mailboxes = await reachable(request);
      return mailboxes.length === 0 ? [] : [createSearchMailTool(mailboxes, random)];
    },
  };
}

function uniqueName(name: string, used: Set<string>): string {
  let unique = name;
  for (let number = 2; used.has(unique); number += 1) unique = `${name} (${number})`;
  used.add(unique);
  return unique;
}
