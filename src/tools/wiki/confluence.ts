import type { ConnectionTestResult } from '../../ports/connection-tester.ts';
import { ToolFailure } from '../../ports/tool.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import type { WrittenEntry } from '../../ports/tracker.ts';
import type { Wiki } from '../../ports/wiki.ts';
import { isAtlassianCloud, siteHeaders } from '../http/atlassian-site.ts';
import { listAt, numberAt, textAt } from '../http/json-value.ts';
import { queryString } from '../http/query-string.ts';
import { openSite, type Site } from '../http/site.ts';
import type { SystemClient } from '../http/system-client.ts';
import { confluenceCloud } from './confluence-cloud.ts';
import { confluenceDataCenter } from './confluence-data-center.ts';
import type { ConfluenceDialect } from './confluence-dialect.ts';
import { checkedSpace, readPage, readPageId } from './confluence-page.ts';
import { pageCql } from './cql.ts';

type ConfluenceSettings = OpenedConnection<'confluence'>['settings'];

/** Opens the Confluence of a connection: Cloud by its address, else Data Center. */
export function openConfluence(client: SystemClient, settings: ConfluenceSettings): Wiki {
  const { spaces } = settings;
  const dialect = dialectOf(settings);
  const site = openConfluenceSite(client, settings);
  const base = wikiBase(settings.site);

  /** @throws ToolFailure unless the page is in a space that may be reached. */
  async function assertInReach(pageId: string, signal: AbortSignal): Promise<string> {
    return checkedSpace(await dialect.spaceOf(site, pageId, signal), spaces);
  }

  function isInReach(key: string | null): boolean {
    return spaces.length === 0 || spaces.some((space) => space.toLowerCase() === key?.toLowerCase());
  }

  function written(id: string): WrittenEntry {
    return { key: id, link: `${base}/pages/viewpage.action?pageId=${id}` };
  }

  return {
    spaces,

    async search(query, signal) {
      const space = query.space === undefined ? {} : { space: checkedSpace(query.space, spaces) };
      const parameters = queryString({
        cql: pageCql({ ...query, ...space }, spaces),
        limit: String(query.limit),
        excerpt: 'highlight',
        expand: 'content.space,content.version,content.body.storage',
        ...(query.cursor !== undefined && { [dialect.cursorName]: query.cursor }),
      });
      const answer = await site.get(`/rest/api/search?${parameters}`, signal);
      const shownBase = linkBase(settings.site, answer);
      const total = numberAt(answer, 'totalSize');
      const nextCursor = dialect.readNextCursor(answer);
      return {
        rows: listAt(answer, 'results')
          .slice(0, query.limit)
          .flatMap((row) => readPage(row, shownBase) ?? [])
          // The site answers for its own search; what it may not have found is left out all the same.
          .filter(({ space: key }) => isInReach(key)),
        ...(total !== undefined && { total }),
        ...(nextCursor !== undefined && { nextCursor }),
      };
    },

    async create(page, signal) {
      const space = checkedSpace(page.space, spaces);
      if (page.parentId !== undefined) {
        const parentSpace = await assertInReach(readPageId(page.parentId), signal);
        if (parentSpace.toLowerCase() !== space.toLowerCase()) {
          throw new ToolFailure(`the page above is in the space ${parentSpace}, not in ${space}`);
        }
      }
      const { id } = await dialect.create(site, { ...page, space }, signal);
      return written(readPageId(id));
    },

    async comment(givenId, text, signal) {
      const id = readPageId(givenId);
      if (spaces.length > 0) await assertInReach(id, signal);
      await dialect.comment(site, id, text, signal);
      return written(id);
    },
  };
}

/** Signs in, and looks at each space that the connection is held to. */
export async function testConfluence(
  client: SystemClient,
  settings: ConfluenceSettings,
  signal: AbortSignal,
): Promise<ConnectionTestResult> {
  const site = openConfluenceSite(client, settings);
  const me = await site.get('/rest/api/user/current', signal);
  // A Data Center that takes the token for none answers as to a stranger.
  if (textAt(me, 'type') === 'anonymous') {
    return { ok: false, detail: 'Confluence did not accept the credentials of the connection' };
  }
  for (const space of settings.spaces) await dialectOf(settings).findSpace(site, space, signal);
  const name = textAt(me, 'displayName') ?? textAt(me, 'publicName') ?? 'an account without a name';
  const reach = settings.spaces.length === 0 ? 'all its spaces' : settings.spaces.join(', ');
  return { ok: true, detail: `signed in to Confluence as ${name}; reaches ${reach}` };
}

function dialectOf({ site }: ConfluenceSettings): ConfluenceDialect {
  return isAtlassianCloud(site) ? confluenceCloud : confluenceDataCenter;
}

function openConfluenceSite(client: SystemClient, settings: ConfluenceSettings): Site {
  const headers = siteHeaders(settings);
  return openSite(client, { name: 'Confluence', base: wikiBase(settings.site), headers });
}

/** In the Cloud, Confluence is at `/wiki` of the site. */
function wikiBase(site: string): string {
  return isAtlassianCloud(site) && !site.endsWith('/wiki') ? `${site}/wiki` : site;
}

/** Where people look at pages; behind Atlassian's gateway the answer says where that is. */
function linkBase(site: string, answer: unknown): string {
  if (new URL(site).hostname !== 'api.atlassian.com') return wikiBase(site);
  const url = URL.parse(textAt(answer, '_links', 'base') ?? '');
  return url?.protocol === 'https:' ? url.href.replace(/\/+$/, '') : wikiBase(site);
}
