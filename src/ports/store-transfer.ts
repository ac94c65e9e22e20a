import type { Agent } from '../domain/agent.ts';
import type { ApiKey } from '../domain/api-key.ts';
import type { AuditEvent } from '../domain/audit.ts';
import type { Connection } from '../domain/connection.ts';
import type { Conversation } from '../domain/conversation.ts';
import type { Organization, User } from '../domain/organization.ts';
import type { Run } from '../domain/run.ts';
import type { Session } from '../domain/session.ts';
import type { Turn } from '../domain/turn.ts';
import type { UsageAccount } from '../domain/usage-window.ts';

/**
 * Every kind of record that a store keeps, whole, in a form that any store can keep: what moves from one to another.
 * The order is that in which they are moved.
 */
export interface StoredRecords {
  readonly organizations: Organization;
  readonly users: User;
  readonly sessions: Session;
  readonly apiKeys: ApiKey;
  readonly connections: Connection;
  readonly auditEvents: AuditEvent;
  readonly ledgerCycles: StoredCycle;
  readonly usageWindows: StoredWindow;
  readonly conversations: StoredConversation;
  readonly turns: Turn;
  readonly agents: Agent;
  readonly runs: Run;
  readonly replayClaims: StoredReplayClaim;
  readonly jobs: StoredJob;
}

export type RecordKind = keyof StoredRecords;

export const recordKinds = [
  'organizations',
  'users',
  'sessions',
  'apiKeys',
  'connections',
  'auditEvents',
  'ledgerCycles',
  'usageWindows',
  'conversations',
  'turns',
  'agents',
  'runs',
  'replayClaims',
  'jobs',
] as const satisfies readonly RecordKind[];

/** An organization's budget cycle. Tokens by the ids of keys and reservations. */
export interface StoredCycle {
  readonly organizationId: string;
  readonly cycleStartMs: number;
  readonly usedByKey: Readonly<Record<string, number>>;
  readonly reservations: Readonly<
    Record<string, { readonly apiKeyId: string; readonly tokens: number; readonly leaseEndsAtMs: number }>
  >;
}

/** What is settled and held in a calendar window. Holds by their ids. */
export interface StoredWindow extends UsageAccount {
  readonly used: number;
  readonly holds: Readonly<Record<string, { readonly amount: number; readonly leaseEndsAtMs: number }>>;
}

export interface StoredConversation extends Conversation {
  /** Of the last turn that was noted; 0: not listed. */
  readonly lastPosition: number;
  readonly deletedAtMs: number | null;
  readonly lockToken: string | null;
  readonly lockEndsAtMs: number | null;
}

export interface StoredReplayClaim {
  readonly key: string;
  readonly value: string;
  readonly lastMs: number;
}

export interface StoredJob {
  readonly id: string;
  readonly dueAtMs: number;
  readonly token: string | null;
}

/** A store that records are read from. Nobody else writes to it from when it is opened until it is closed. */
export interface TransferSource {
  read<Kind extends RecordKind>(kind: Kind): AsyncIterable<StoredRecords[Kind]>;
  close(): Promise<void>;
}

/**
 * A store that records are moved to.
 *
 * Invariants:
 * - From `begin` to `finish` nothing else can open the store; a process that dies between the two leaves it so.
 * - `begin` again then empties it.
 */
export interface TransferTarget {
  /** @throws Error when the store holds records that no unfinished transfer brought. */
  begin(nowMs: number): Promise<void>;
  /** Whether the store counts the record as absent, its time being over, and may remove it by itself. */
  isOver<Kind extends RecordKind>(kind: Kind, record: StoredRecords[Kind], nowMs: number): boolean;
  write<Kind extends RecordKind>(kind: Kind, records: readonly StoredRecords[Kind][]): Promise<void>;
  read<Kind extends RecordKind>(kind: Kind): AsyncIterable<StoredRecords[Kind]>;
  finish(): Promise<void>;
  close(): Promise<void>;
}
