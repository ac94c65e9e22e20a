import type { Connection } from '../domain/connection.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import type { OpenConnection, SettingsOf, ToolConnections } from '../ports/tool-connections.ts';
import { openConnectionSettings } from './accounts/connection-settings.ts';

export interface ToolConnectionsDependencies {
  readonly store: Pick<Store, 'connections'>;
  readonly sealer: Sealer;
}

const pageSize = 100;

/** Finds connections in the store and opens what is sealed of them. */
export function createToolConnections({ store, sealer }: ToolConnectionsDependencies): ToolConnections {
  async function listAll(organizationId: string): Promise<readonly Connection[]> {
    const all: Connection[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.connections.list(
        { organizationId },
        { limit: pageSize, ...(cursor !== undefined && { cursor }) },
      );
      all.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all;
  }

  return {
    async find({ actor, organization }, kinds) {
      type Kind = (typeof kinds)[number];
      const wanted: ReadonlySet<string> = new Set(kinds);
      const usable = (await listAll(organization.id)).filter(
        ({ active, kind, organizationId, actorId }) =>
          active &&
          wanted.has(kind) &&
          organizationId === organization.id &&
          (actorId === actor.id || actorId === null),
      );
      const own = usable.filter(({ actorId }) => actorId !== null);
      const shared = usable.filter(({ actorId }) => actorId === null);
      return [...own, ...shared].map((connection): OpenConnection<Kind> => {
        return { connection, settings: openConnectionSettings(sealer, connection) as SettingsOf<Kind> };
      });
    },
  };
}
