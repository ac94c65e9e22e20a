import type { ConnectionTestResult } from '../../ports/connection-tester.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import type { Tracker } from '../../ports/tracker.ts';
import { isAtlassianCloud, siteHeaders } from '../http/atlassian-site.ts';
import { objectAt, textAt } from '../http/json-value.ts';
import { openSite, type Site } from '../http/site.ts';
import type { SystemClient } from '../http/system-client.ts';
import { jiraCloud } from './jira-cloud.ts';
import { jiraDataCenter } from './jira-data-center.ts';
import type { JiraDialect } from './jira-dialect.ts';
import { assertProject, projectOf, readIssue, readIssueKey, readWritten } from './jira-issue.ts';
import { issueJql } from './jql.ts';

type JiraSettings = OpenedConnection<'jira'>['settings'];

/** Opens the Jira of a connection: Cloud by its address, else Data Center. */
export function openJira(client: SystemClient, settings: JiraSettings): Tracker {
  const { projects } = settings;
  const dialect = dialectOf(settings);
  const site = openJiraSite(client, settings);
  const browse = browseBase(site, dialect, settings);

  return {
    projects,

    async search(query, signal) {
      if (query.project !== undefined) assertProject(query.project.toUpperCase(), projects);
      const wanted = {
        ...query,
        ...(query.key !== undefined && { key: readIssueKey(query.key) }),
      };
      const { path, body } = dialect.searchRequest(issueJql(wanted, projects), wanted);
      const answer = await site.post(`${dialect.api}${path}`, body, signal);
      const base = await browse(signal);
      const rows = objectAt(answer).issues;
      return {
        rows: (Array.isArray(rows) ? rows : [])
          .slice(0, query.limit)
          .flatMap((row) => readIssue(row, base, dialect.toText) ?? [])
          // The site answers for its own search; what it may not have found is left out all the same.
          .filter(({ key }) => projects.length === 0 || projects.includes(projectOf(key))),
        ...dialect.readPaging(answer),
      };
    },

    async create({ project, type, title, description }, signal) {
      const key = project.trim().toUpperCase();
      assertProject(key, projects);
      const fields = {
        project: { key },
        issuetype: { name: type },
        summary: title,
        ...(description !== '' && { description: dialect.toBody(description) }),
      };
      const answer = await site.post(`${dialect.api}/issue`, { fields }, signal);
      return readWritten(answer, await browse(signal));
    },

    async comment(givenKey, text, signal) {
      const key = readIssueKey(givenKey);
      assertProject(projectOf(key), projects);
      // The key of an issue that was moved leads into another project.
      const found = await site.get(`${dialect.api}/issue/${key}?fields=project`, signal);
      const written = readWritten(found, await browse(signal));
      assertProject(projectOf(written.key), projects);
      await site.post(`${dialect.api}/issue/${written.key}/comment`, { body: dialect.toBody(text) }, signal);
      return written;
    },
  };
}

/** Signs in, and looks at each project that the connection is held to. */
export async function testJira(
  client: SystemClient,
  settings: JiraSettings,
  signal: AbortSignal,
): Promise<ConnectionTestResult> {
  const site = openJiraSite(client, settings);
  const { api } = dialectOf(settings);
  const me = await site.get(`${api}/myself`, signal);
  for (const project of settings.projects) await site.get(`${api}/project/${project}`, signal);
  const name = textAt(me, 'displayName') ?? textAt(me, 'name') ?? 'an account without a name';
  const reach = settings.projects.length === 0 ? 'all its projects' : settings.projects.join(', ');
  return { ok: true, detail: `signed in to Jira as ${name}; reaches ${reach}` };
}

function dialectOf({ site }: JiraSettings): JiraDialect {
  return isAtlassianCloud(site) ? jiraCloud : jiraDataCenter;
}

function openJiraSite(client: SystemClient, settings: JiraSettings): Site {
  return openSite(client, { name: 'Jira', base: settings.site, headers: siteHeaders(settings) });
}

/** Where people look at issues; behind Atlassian's gateway the site itself has to say. */
function browseBase(site: Site, dialect: JiraDialect, settings: JiraSettings) {
  const isGateway = new URL(settings.site).hostname === 'api.atlassian.com';
  return async (signal: AbortSignal): Promise<string> => {
    if (!isGateway) return settings.site;
    const info = await site.get(`${dialect.api}/serverInfo`, signal);
    const url = URL.parse(textAt(info, 'baseUrl') ?? '');
    return url?.protocol === 'https:' ? url.origin : settings.site;
  };
}
