import { sampleSite } from '../../domain/organization.ts';
import type { Random } from '../../ports/random.ts';
import type { Tool, ToolProvider, ToolRequest } from '../../ports/tool.ts';
import type { ToolConnections } from '../../ports/tool-connections.ts';
import { isSameSite } from '../http/same-site.ts';
import type { SystemClient } from '../http/system-client.ts';
import { createPageTokens } from '../text/page-token.ts';
import { createSampleSystems, sampleLabel } from '../text/sample-systems.ts';
import { openConfluence } from './confluence.ts';
import { createSampleWiki } from './sample-wiki.ts';
import { createSearchWikiTool, type OfferedWiki } from './search-wiki-tool.ts';
import { commentPageTool, createPageTool } from './write-page-tools.ts';

export interface WikiToolsDependencies {
  readonly connections: ToolConnections;
  readonly client: SystemClient;
  readonly random: Random;
}

/**
 * Offers search_wiki to keys with a wiki scope whose actor has an active connection to the wiki that the organization
 * pinned; create_page and comment_page besides to those with wiki.write where the organization lets tools write and the
 * caller did not ask for read-only tools.
 */
export function createWikiTools({ connections, client, random }: WikiToolsDependencies): ToolProvider {
  const samples = createSampleSystems(createSampleWiki);

  async function reachable({ principal }: ToolRequest): Promise<OfferedWiki | undefined> {
    const { id, wikiSite } = principal.organization;
    if (wikiSite === null) return undefined;
    if (wikiSite === sampleSite) {
      return { wiki: samples.of(id), site: sampleLabel, pageTokens: createPageTokens(sampleSite) };
    }
    const found = await connections.activeOf(principal, ['confluence']);
    const confluence = found.find(({ settings }) => isSameSite(settings.site, wikiSite));
    if (confluence === undefined) return undefined;
    const { connection, settings } = confluence;
    const pageTokens = createPageTokens(`${connection.id}/${settings.token}`);
    return { wiki: openConfluence(client, settings), site: settings.site, pageTokens };
  }

  return {
    async toolsFor(request): Promise<readonly Tool[]> {
      const { scopes } = request.principal.apiKey;
      const holdsWrite = scopes.includes('wiki.write');
      if (!holdsWrite && !scopes.includes('wiki.read')) return [];
      const offered = await reachable(request);
      if (offered === undefined) return [];
      const search = createSearchWikiTool(offered, random);
      const mayWrite = holdsWrite && request.principal.organization.wikiWrites && !request.readOnlyTools;
      return mayWrite ? [search, createPageTool(offered), commentPageTool(offered)] : [search];
    },
  };
}
