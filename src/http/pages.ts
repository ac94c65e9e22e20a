import { createErrorPages } from './error-pages.ts';
import { createOpenApi, type OpenApiOptions } from './openapi/create-open-api.ts';
import type { Page } from './page.ts';
import type { Binding } from './rest/binding.ts';

/** Returns what the server itself answers to GET, by path: the error pages and the API description. */
export function createPages(
  bindings: readonly Binding[],
  options: OpenApiOptions,
): (request: { readonly method: string; readonly path: string }) => Page | undefined {
  const errorPages = createErrorPages();
  let openApi: Page | undefined;
  return ({ method, path }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (path !== '/openapi.json') return errorPages.get(path);
    openApi ??= {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(createOpenApi(bindings, options)),
    };
    return openApi;
  };
}
