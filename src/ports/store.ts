import type { ApiKey, Principal } from '../domain/api-key.ts';
import type { AuditEvent } from '../domain/audit.ts';
import type { Connection } from '../domain/connection.ts';
import type { Organization, User } from '../domain/organization.ts';
import type { AgentStore } from './agent-store.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { JobStore } from './job-store.ts';
import type { Ledger } from './ledger.ts';
import type { Page, PageRequest } from './page.ts';
import type { ReplayMemory } from './replay-memory.ts';
import type { RunStore } from './run-store.ts';
import type { SessionStore } from './session-store.ts';
import type { TurnStore } from './turn-store.ts';
import type { UsageWindows } from './usage-windows.ts';

/**
 * Everything durable.
 *
 * Invariants:
 * - A resolved write survives SIGKILL of the process and of the machine's other processes.
 * - Every operation changes one document, atomically; none needs a transaction over several.
 * - Reads see every write that was resolved before they began, whichever process made it. (Within one turn of the event
 *   loop an adapter may look for other processes' writes once: nothing can have told the reader of a later one.)
 * - Ids are given by the caller; creating one twice fails with `StoreConflict`.
 * - Lists are ordered as stated and paged by an opaque cursor: each row once under concurrent inserts.
 * - A store that cannot be reached rejects within seconds, with a failure that callers get as 503; it never answers with a
 *   guess.
 */
export interface Store {
  readonly organizations: RecordStore<Organization> & { isEmpty(): Promise<boolean> };
  readonly users: RecordStore<User, { organizationId?: string }> & {
    /** `email` in lower case. */
    findByEmail(email: string): Promise<User | undefined>;
  };
  readonly sessions: SessionStore;
  readonly apiKeys: ApiKeyStore;
  readonly connections: RecordStore<Connection, { organizationId?: string; actorId?: string }> & {
    delete(id: string): Promise<boolean>;
  };
  readonly auditEvents: AuditLog;
  readonly ledger: Ledger;
  readonly usageWindows: UsageWindows;
  readonly conversations: ConversationStore;
  readonly turns: TurnStore;
  readonly agents: AgentStore;
  readonly runs: RunStore;
  readonly replayMemory: ReplayMemory;
  readonly jobs: JobStore;
  /** Resolves when the store answers; reads nothing to speak of. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A unique value (id, e-mail address, key hash) is taken. */
export class StoreConflict extends Error {
  readonly field: string;
  constructor(field: string) {
    super(`${field} is taken`);
    this.name = 'StoreConflict';
    this.field = field;
  }
}

/** What an update may set: any field but the id and the time of creation. */
export type Patch<T> = { readonly [Field in keyof Omit<T, 'id' | 'createdAtMs'>]?: T[Field] };

export interface RecordStore<T extends { readonly id: string }, Filter = Record<never, never>> {
  /** @throws StoreConflict when a unique value is taken. */
  create(record: T): Promise<void>;
  get(id: string): Promise<T | undefined>;
  /**
   * Sets the given fields in one step and returns the record after it, or undefined when there is none.
   *
   * @throws StoreConflict when a unique value is taken.
   */
  update(id: string, patch: Patch<T>): Promise<T | undefined>;
  /** In order of creation. */
  list(filter: Filter, page: PageRequest): Promise<Page<T>>;
}

export interface ApiKeyStore extends RecordStore<ApiKey, { organizationId?: string }> {
  /** Returns the key with its actor and organization in one round trip; undefined when any of the three is missing. */
  findPrincipal(keyHash: string): Promise<Principal | undefined>;
  /** Notes a use, to the minute; at most one write a minute and key. */
  touch(id: string, usedAtMs: number): Promise<void>;
}

export interface AuditLog {
  append(event: AuditEvent): Promise<void>;
  /** The newest first. */
  list(filter: { organizationId?: string }, page: PageRequest): Promise<Page<AuditEvent>>;
}
