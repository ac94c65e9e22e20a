import type { Principal } from '../../domain/api-key.ts';
import { hashApiKeyToken, isApiKeyToken } from '../../domain/api-key-token.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';

/**
 * Returns the caller whom the Authorization header names. A malformed, an unknown, an expired and a revoked key get
 * the same answer.
 *
 * @throws `missing_token`, `invalid_token`, `entitlement_check_failed`
 */
export async function authenticate(
  deps: { readonly store: Pick<Store, 'apiKeys'>; readonly clock: Clock },
  authorization: string | null,
): Promise<Principal> {
  const token = bearerToken(authorization);
  if (token === undefined) throw new ServiceError('missing_token');
  if (!isApiKeyToken(token)) throw new ServiceError('invalid_token');
  const principal = await findPrincipal(deps.store, hashApiKeyToken(token));
  if (principal === undefined || !isLive(principal, deps.clock.now()))
    throw new ServiceError('invalid_token');
  return principal;
}

function bearerToken(authorization: string | null): string | undefined {
  if (authorization === null || authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return authorization.slice(7).trim() || undefined;
}

async function findPrincipal(store: Pick<Store, 'apiKeys'>, keyHash: string): Promise<Principal | undefined> {
  try {
    return await store.apiKeys.findPrincipal(keyHash);
  } catch (cause) {
    throw new ServiceError('entitlement_check_failed', { cause });
  }
}

function isLive({ apiKey }: Principal, nowMs: number): boolean {
  return apiKey.revokedAtMs === null && (apiKey.expiresAtMs === null || apiKey.expiresAtMs > nowMs);
}
