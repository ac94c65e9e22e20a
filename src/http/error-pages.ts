import { createHash } from 'node:crypto';
import { type ErrorSlug, errorCatalogue } from '../domain/errors.ts';
import type { Page } from './page.ts';

const style = `
:root{color-scheme:light dark;--ground:#fbfbfa;--text:#1d2129;--quiet:#5d6470;--line:#e3e4e8;--card:#fff;--accent:#2f5bd7}
@media(prefers-color-scheme:dark){:root{--ground:#14161b;--text:#e8eaee;--quiet:#9aa1ad;--line:#2b2f38;--card:#1b1e25;--accent:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:17px/1.6 system-ui,sans-serif}
main{max-width:44rem;margin:0 auto;padding:4rem 1.5rem}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
h1{margin:.4rem 0 1.2rem;font-size:1.9rem;line-height:1.25;letter-spacing:-.01em}
h2{margin:2rem 0 .3rem;font-size:.8rem;letter-spacing:.07em;text-transform:uppercase;color:var(--quiet)}
p{margin:.3rem 0}
code{font:.92em ui-monospace,monospace;background:var(--line);border-radius:4px;padding:.1em .35em}
.badge{display:inline-block;font:600 .85rem ui-monospace,monospace;border:1px solid var(--line);border-radius:99px;padding:.15rem .7rem;color:var(--quiet)}
ul{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:12px;background:var(--card);overflow:hidden}
li+li{border-top:1px solid var(--line)}
li a{display:flex;gap:1rem;align-items:baseline;padding:.7rem 1rem;color:inherit}
li b{font:600 .9rem ui-monospace,monospace;color:var(--accent);min-width:2.4rem}
li code{background:none;padding:0}
li span{color:var(--quiet);font-size:.92rem;margin-left:auto;text-align:right}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--quiet);font-size:.9rem}
`;

/** Only this page's own style may load; nothing else, from nowhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the pages under /errors by path: an index, and one for each slug of the catalogue. */
export function createErrorPages(): ReadonlyMap<string, Page> {
  const pages = new Map<string, Page>([['/errors', page('Errors', indexBody())]]);
  for (const slug of slugs) pages.set(`/errors/${slug}`, page(slug, slugBody(slug)));
  return pages;
}

const slugs = Object.keys(errorCatalogue) as ErrorSlug[];

function indexBody(): string {
  const entries = slugs.map((slug) => {
    const { status, title } = errorCatalogue[slug];
    return `<li><a href="/errors/${slug}"><b>${status}</b><code>${slug}</code><span>${escapeHtml(title)}</span></a></li>`;
  });
  return `<h1>Errors</h1><p>Every error answer is a problem document; its <code>type</code> ends in one of these names.</p>
<h2>All errors</h2><ul>${entries.join('')}</ul>`;
}

function slugBody(slug: ErrorSlug): string {
  const { status, grpc, title, condition, remedy, extra, retryable } = errorCatalogue[slug];
  const fields = extra.map((name) => `<code>${name}</code>`).join(' ');
  return `<span class="badge">${status} · ${slug}</span><h1>${escapeHtml(title)}</h1>
<h2>When</h2><p>${markCode(condition)}</p>
<h2>What to do</h2><p>${markCode(remedy)}</p>
<h2>Trying again</h2><p>${retryable ? 'The same request may succeed later.' : 'The same request will not succeed until something changes.'}</p>
<h2>Fields beside type, title and status</h2><p>${fields === '' ? 'None of its own.' : fields}</p>
<h2>Over gRPC</h2><p>Status <code>${grpc}</code>, <code>google.rpc.ErrorInfo</code> with the reason <code>${slug.toUpperCase()}</code></p>
<footer><a href="/errors">All errors</a></footer>`;
}

function page(title: string, body: string): Page {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'public, max-age=3600',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>
`,
  };
}

function markCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
