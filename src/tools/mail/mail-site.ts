import type { AccessTokens, TokenRequest } from '../http/access-token.ts';
import { assertAnswered } from '../http/assert-answered.ts';
import type { SystemClient } from '../http/system-client.ts';

/** A mail service's REST interface, signed in to with an access token. */
export interface MailSite {
  get(url: string, signal: AbortSignal, headers?: Readonly<Record<string, string>>): Promise<unknown>;
}

export interface MailSiteParts {
  readonly client: SystemClient;
  readonly tokens: AccessTokens;
}

/** Calls answer with JSON or fail with a ToolFailure; a token that is refused is not used again. */
export function openMailSite(
  { client, tokens }: MailSiteParts,
  name: string,
  request: TokenRequest,
): MailSite {
  return {
    async get(url, signal, headers = {}) {
      const token = await tokens.get(request, signal);
      const response = await client.send(
        { method: 'GET', url: new URL(url), headers: { ...headers, authorization: `Bearer ${token}` } },
        signal,
      );
      if (response.status === 401) tokens.drop(request);
      assertAnswered(name, response);
      return response.body;
    },
  };
}
