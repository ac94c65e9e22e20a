import type { ApiKey, Principal } from '../../domain/api-key.ts';
import type { Organization, User } from '../../domain/organization.ts';
import type { Database } from './database.ts';

/** Principals held in memory; past this many the least useful guess is to start anew. */
const principalsMax = 10_000;

/** Keys with their actors and organizations, remembered for as long as nothing has changed any of them. */
export interface PrincipalCache {
  find(keyHash: string): Promise<Principal | undefined>;
  /** Forgets all; called within every write of this process to one of the three. */
  clear(): void;
  /** Forgets one key's. */
  forget(keyHash: string): void;
}

/**
 * Returns principals from memory, or else by one joined statement. What other processes commit is noticed by the
 * database's version.
 *
 * A look-up waits until the event loop has been round its sockets (its check phase, which follows the poll phase) and
 * runs together with the others of that round: a burst of requests asks for the version once, after the last of them
 * has arrived.
 */
export function createPrincipalCache(database: Database): PrincipalCache {
  const select = database.prepare(`
    SELECT api_keys.document AS api_key, users.document AS actor, organizations.document AS organization
    FROM api_keys
    JOIN users ON users.id = api_keys.document ->> '$.actorId'
    JOIN organizations ON organizations.id = api_keys.organization_id
    WHERE api_keys.key_hash = ?`);
  const known = new Map<string, Principal>();
  let knownVersion = 0;
  let burst: Promise<void> | undefined;

  function joinBurst(): Promise<void> {
    burst ??= new Promise((resolve) => {
      setImmediate(() => {
        burst = undefined;
        resolve();
      });
    });
    return burst;
  }

  return {
    async find(keyHash) {
      await joinBurst();
      const version = database.version();
      if (version !== knownVersion) {
        known.clear();
        knownVersion = version;
      }
      const remembered = known.get(keyHash);
      if (remembered !== undefined) return remembered;
      const row = select.get(keyHash);
      if (row === undefined) return undefined;
      const principal = {
        apiKey: JSON.parse(row.api_key as string) as ApiKey,
        actor: JSON.parse(row.actor as string) as User,
        organization: JSON.parse(row.organization as string) as Organization,
      };
      if (known.size >= principalsMax) known.clear();
      known.set(keyHash, principal);
      return principal;
    },
    clear: () => known.clear(),
    forget: (keyHash) => void known.delete(keyHash),
  };
}
