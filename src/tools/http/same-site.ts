/** Tells whether two addresses of a site are the same one; Confluence's `/wiki` in the Cloud may be left out. */
export function isSameSite(one: string, other: string): boolean {
  const first = siteKey(one);
  return first !== null && first === siteKey(other);
}

function siteKey(site: string): string | null {
  const url = URL.parse(site);
  if (url?.protocol !== 'https:') return null;
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (/\.atlassian\.net$/.test(url.hostname) ? path.replace(/^\/wiki$/, '') : path);
}
