import type { ChatPermission } from '../chat.ts';
import type { Scope } from '../scopes.ts';

/** What a caller's statements may do: read alone, or read and write. */
export type SqlAccess = 'read' | 'write';

/** Returns what the scopes and the permission of the call allow together; undefined: nothing. */
export function sqlAccessOf(scopes: readonly Scope[], permission: ChatPermission): SqlAccess | undefined {
  if (scopes.includes('sql.write')) return permission === 'read' ? 'read' : 'write';
  return scopes.includes('sql.read') ? 'read' : undefined;
}
