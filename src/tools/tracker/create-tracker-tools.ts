import { sampleSite } from '../../domain/organization.ts';
import type { Random } from '../../ports/random.ts';
import type { Tool, ToolProvider, ToolRequest } from '../../ports/tool.ts';
import type { ToolConnections } from '../../ports/tool-connections.ts';
import { isSameSite } from '../http/same-site.ts';
import type { SystemClient } from '../http/system-client.ts';
import { createPageTokens } from '../text/page-token.ts';
import { createSampleSystems, sampleLabel } from '../text/sample-systems.ts';
import { openJira } from './jira.ts';
import { createSampleTracker } from './sample-tracker.ts';
import { createSearchIssuesTool, type OfferedTracker } from './search-issues-tool.ts';
import { commentIssueTool, createIssueTool } from './write-issue-tools.ts';

export interface TrackerToolsDependencies {
  readonly connections: ToolConnections;
  readonly client: SystemClient;
  readonly random: Random;
}

/**
 * Offers search_issues to keys with a tracker scope whose actor has an active connection to the tracker that the
 * organization pinned; create_issue and comment_issue besides to those with tracker.write where the organization lets
 * tools write and the caller did not ask for read-only tools.
 */
export function createTrackerTools({ connections, client, random }: TrackerToolsDependencies): ToolProvider {
  const samples = createSampleSystems(createSampleTracker);

  async function reachable({ principal }: ToolRequest): Promise<OfferedTracker | undefined> {
    const { id, trackerSite } = principal.organization;
    if (trackerSite === null) return undefined;
    if (trackerSite === sampleSite) {
      return { tracker: samples.of(id), site: sampleLabel, pageTokens: createPageTokens(sampleSite) };
    }
    const found = await connections.activeOf(principal, ['jira']);
    const jira = found.find(({ settings }) => isSameSite(settings.site, trackerSite));
    if (jira === undefined) return undefined;
    const { connection, settings } = jira;
    const pageTokens = createPageTokens(`${connection.id}/${settings.token}`);
    return { tracker: openJira(client, settings), site: settings.site, pageTokens };
  }

  return {
    async toolsFor(request): Promise<readonly Tool[]> {
      const { scopes } = request.principal.apiKey;
      const holdsWrite = scopes.includes('tracker.write');
      if (!holdsWrite && !scopes.includes('tracker.read')) return [];
      const offered = await reachable(request);
      if (offered === undefined) return [];
      const search = createSearchIssuesTool(offered, random);
      const mayWrite = holdsWrite && request.principal.organization.trackerWrites && !request.readOnlyTools;
      return mayWrite ? [search, createIssueTool(offered), commentIssueTool(offered)] : [search];
    },
  };
}
