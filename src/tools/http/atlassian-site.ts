/** Names under which Atlassian runs the Cloud products itself. */
const cloudHosts = /(?:^|\.)(?:atlassian\.net|jira\.com|atlassian\.com|atlassian-us-gov-mod\.net)$/;

export function isAtlassianCloud(site: string): boolean {
  return cloudHosts.test(new URL(site).hostname);
}

/**
 * How an account signs in: in the Cloud by mail address and API token (Basic), in a Data Center by a personal access
 * token (Bearer), which says by itself whose it is.
 */
export function siteHeaders(settings: {
  readonly site: string;
  readonly email: string;
  readonly token: string;
}): Readonly<Record<string, string>> {
  const { site, email, token } = settings;
  const authorization = isAtlassianCloud(site)
    ? `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`
    : `Bearer ${token}`;
  return {
    authorization,
    // Without it, Atlassian's products take a request for that of a browser and ask for its XSRF token.
    'x-atlassian-token': 'no-check',
  };
}
