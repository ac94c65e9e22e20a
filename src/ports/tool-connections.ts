import type { TurnPrincipal } from '../domain/chat.ts';
import type { Connection, ConnectionKind, ConnectionSettings } from '../domain/connection.ts';

/**
 * The connections that tools may use.
 *
 * Invariants:
 * - Only active connections of the principal's own organization: the actor's own first, then the organization's, each
 *   in order of creation. Another actor's is never among them.
 * - The settings hold credentials: they go to the system that they are for and nowhere else.
 */
export interface ToolConnections {
  find<Kind extends ConnectionKind>(
    principal: Pick<TurnPrincipal, 'actor' | 'organization'>,
    kinds: readonly Kind[],
  ): Promise<readonly OpenConnection<Kind>[]>;
}

export interface OpenConnection<Kind extends ConnectionKind = ConnectionKind> {
  readonly connection: Connection;
  readonly settings: SettingsOf<Kind>;
}

/** The settings of one kind of connection. */
export type SettingsOf<Kind extends ConnectionKind> = Extract<
  ConnectionSettings,
  { readonly kind: Kind } | { readonly kind: 'postgres' | 'mysql' }
> & { readonly kind: Kind };
