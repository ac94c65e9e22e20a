import { createHash } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import { ToolFailure } from '../../ports/tool.ts';
import { numberAt, textAt } from './json-value.ts';
import { queryString } from './query-string.ts';
import type { SystemClient } from './system-client.ts';

/** A request of RFC 6749, sections 4.4 (client_credentials) and 6 (refresh_token). */
export interface TokenRequest {
  readonly url: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Gets access tokens and keeps each until a minute before its end, in this process only.
 *
 * @throws ToolFailure when none is given out.
 */
export interface AccessTokens {
  get(request: TokenRequest, signal: AbortSignal): Promise<string>;
  /** Forgets a token that was refused. */
  drop(request: TokenRequest): void;
}

const tokensMax = 1_000;
const marginMs = 60_000;

export function createAccessTokens(client: SystemClient, clock: Clock): AccessTokens {
  const known = new Map<string, { readonly token: string; readonly endsAtMs: number }>();

  return {
    async get(request, signal) {
      const key = keyOf(request);
      const found = known.get(key);
      if (found !== undefined && found.endsAtMs > clock.now()) return found.token;
      const response = await client.send(
        {
          method: 'POST',
          url: new URL(request.url),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: queryString(request.parameters),
        },
        signal,
      );
      const token = textAt(response.body, 'access_token');
      if (response.status !== 200 || token === null) throw refused(response.status);
      const [oldest] = known.keys();
      if (known.size >= tokensMax && oldest !== undefined) known.delete(oldest);
      const lifeMs = (numberAt(response.body, 'expires_in') ?? 0) * 1_000;
      known.set(key, { token, endsAtMs: clock.now() + lifeMs - marginMs });
      return token;
    },

    drop: (request) => void known.delete(keyOf(request)),
  };
}

/** Credentials are no keys of a map that somebody may print. */
function keyOf({ url, parameters }: TokenRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([url, parameters]))
    .digest('base64');
}

function refused(status: number): ToolFailure {
  return new ToolFailure(
    status === 429 || status >= 500
      ? 'the sign-in server is busy; try again later'
      : 'the sign-in server did not accept the credentials of the connection; an administrator has to renew them',
  );
}
