import type { TurnPrincipal } from '../domain/chat.ts';
import type { Connection, ConnectionKind, ConnectionSettings } from '../domain/connection.ts';

/** An active connection, opened: its settings hold credentials and go nowhere but to the system that they are for. */
export interface OpenedConnection<Kind extends ConnectionKind = ConnectionKind> {
  readonly connection: Omit<Connection, 'sealedSettings'>;
  readonly settings: Extract<ConnectionSettings, { readonly kind: Kind }>;
}

/**
 * The connections that tools work with.
 *
 * Invariants:
 * - Only connections whose last test passed, of the principal's organization, owned by its actor or by the organization
 *   itself; never another actor's.
 * - Read anew on every call.
 */
export interface ToolConnections {
  /**
   * Returns those of the given kinds, the actor's own first, each group in order of creation.
   *
   * @throws Error when the store cannot be read or settings cannot be opened.
   */
  activeOf<Kind extends ConnectionKind>(
    principal: TurnPrincipal,
    kinds: readonly Kind[],
  ): Promise<readonly OpenedConnection<Kind>[]>;
}
