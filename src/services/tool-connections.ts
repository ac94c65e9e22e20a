import type { TurnPrincipal } from '../domain/chat.ts';
import type { Connection, ConnectionKind, ConnectionSettings } from '../domain/connection.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import type { OpenedConnection, ToolConnections } from '../ports/tool-connections.ts';
import { openConnectionSettings } from './accounts/connection-settings.ts';

export interface ToolConnectionsDependencies {
  readonly store: Pick<Store, 'connections'>;
  readonly sealer: Sealer;
}

/** Finds and opens the connections that tools may use on behalf of an actor. */
export function createToolConnections({ store, sealer }: ToolConnectionsDependencies): ToolConnections {
  return {
    async activeOf<Kind extends ConnectionKind>(principal: TurnPrincipal, kinds: readonly Kind[]) {
      const usable: Connection[] = [];
      for await (const connection of connectionsOf(store, principal.organization.id)) {
        const isWanted = connection.active && (kinds as readonly ConnectionKind[]).includes(connection.kind);
        const isShared = connection.actorId === null;
        if (isWanted && (isShared || connection.actorId === principal.actor.id)) usable.push(connection);
      }
      const ownFirst = [
        ...usable.filter(({ actorId }) => actorId !== null),
        ...usable.filter(({ actorId }) => actorId === null),
      ];
      return ownFirst.map((connection) => opened<Kind>(sealer, connection));
    },
  };
}

const pageSize = 100;

async function* connectionsOf(
  store: Pick<Store, 'connections'>,
  organizationId: string,
): AsyncGenerator<Connection> {
  let cursor: string | undefined;
  do {
    const page = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
    const { data, nextCursor } = await store.connections.list({ organizationId }, page);
    yield* data;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

function opened<Kind extends ConnectionKind>(
  sealer: Sealer,
  { sealedSettings, ...connection }: Connection,
): OpenedConnection<Kind> {
  const settings = openConnectionSettings(sealer, { id: connection.id, sealedSettings });
  return { connection, settings: settings as Extract<ConnectionSettings, { kind: Kind }> };
}
