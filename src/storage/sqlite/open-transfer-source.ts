import { statSync } from 'node:fs';
import type {
  RecordKind,
  StoredConversation,
  StoredCycle,
  StoredJob,
  StoredRecords,
  StoredReplayClaim,
  StoredWindow,
  TransferSource,
} from '../../ports/store-transfer.ts';
import { toConversation } from './conversations.ts';
import { openDatabase } from './database.ts';
import { toTurn } from './turns.ts';

type Row = Readonly<Record<string, unknown>>;

const documentOf = (row: Row) => JSON.parse(row.document as string);

/** How the records of each kind are read: a row each. */
const readers: { readonly [Kind in RecordKind]: { sql: string; toRecord(row: Row): StoredRecords[Kind] } } = {
  organizations: { sql: 'SELECT document FROM organizations', toRecord: documentOf },
  users: { sql: 'SELECT document FROM users', toRecord: documentOf },
  sessions: { sql: 'SELECT document FROM sessions', toRecord: documentOf },
  apiKeys: { sql: 'SELECT document FROM api_keys', toRecord: documentOf },
  connections: { sql: 'SELECT document FROM connections', toRecord: documentOf },
  auditEvents: { sql: 'SELECT document FROM audit_events', toRecord: documentOf },
  ledgerCycles: {
    sql: `
      SELECT organization_id, cycle_start_ms,
        (SELECT json_group_object(api_key_id, used) FROM ledger_balances AS balance
          WHERE balance.organization_id = cycle.organization_id
            AND balance.cycle_start_ms = cycle.cycle_start_ms) AS used_by_key,
        (SELECT json_group_object(id, json_object(
            'apiKeyId', api_key_id, 'tokens', tokens, 'leaseEndsAtMs', lease_ends_at_ms))
          FROM ledger_reservations AS reservation
          WHERE reservation.organization_id = cycle.organization_id
            AND reservation.cycle_start_ms = cycle.cycle_start_ms) AS reservations
      FROM (
        SELECT organization_id, cycle_start_ms FROM ledger_balances
        UNION SELECT organization_id, cycle_start_ms FROM ledger_reservations) AS cycle`,
    toRecord: (row): StoredCycle => ({
      organizationId: row.organization_id as string,
      cycleStartMs: row.cycle_start_ms as number,
      usedByKey: JSON.parse(row.used_by_key as string),
      reservations: JSON.parse(row.reservations as string),
    }),
  },
  usageWindows: {
    sql: `
      SELECT subject, unit, window, start_ms,
        coalesce((SELECT used FROM usage_windows AS settled
          WHERE settled.subject = account.subject AND settled.unit = account.unit
            AND settled.window = account.window AND settled.start_ms = account.start_ms), 0) AS used,
        (SELECT json_group_object(id, json_object('amount', amount, 'leaseEndsAtMs', lease_ends_at_ms))
          FROM usage_holds AS held
          WHERE held.subject = account.subject AND held.unit = account.unit
            AND held.window = account.window AND held.start_ms = account.start_ms) AS holds
      FROM (
        SELECT subject, unit, window, start_ms FROM usage_windows
        UNION SELECT subject, unit, window, start_ms FROM usage_holds) AS account`,
    toRecord: (row) =>
      ({
        subject: row.subject,
        unit: row.unit,
        window: row.window,
        startMs: row.start_ms,
        used: row.used,
        holds: JSON.parse(row.holds as string),
      }) as StoredWindow,
  },
  conversations: {
    sql: 'SELECT * FROM conversations',
    toRecord: (row): StoredConversation => ({
      ...toConversation(row),
      lastPosition: row.last_position as number,
      deletedAtMs: row.deleted_at_ms as number | null,
      lockToken: row.lock_token as string | null,
      lockEndsAtMs: row.lock_ends_at_ms as number | null,
    }),
  },
  turns: { sql: 'SELECT * FROM turns', toRecord: toTurn },
  agents: { sql: 'SELECT document FROM agents', toRecord: documentOf },
  runs: { sql: 'SELECT document FROM runs', toRecord: documentOf },
  replayClaims: {
    sql: 'SELECT id, document FROM replay_claims',
    toRecord: (row): StoredReplayClaim => ({ key: row.id as string, ...documentOf(row) }),
  },
  jobs: {
    sql: 'SELECT id, document FROM jobs',
    toRecord: (row): StoredJob => ({ id: row.id as string, ...documentOf(row) }),
  },
};

/**
 * Opens the embedded store's file to move its records elsewhere, brings its schema up to date, and holds the place of
 * its one writer, so that what is read stays all that there is.
 *
 * @throws Error when there is no such file, or another process is writing to it.
 */
export function openTransferSource(path: string): TransferSource {
  statSync(path);
  const database = openDatabase(path);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const end = database.prepare('ROLLBACK');
  begin.run();
  return {
    async *read(kind) {
      const { sql, toRecord } = readers[kind];
      for (const row of database.prepare(sql).iterate()) yield toRecord(row);
    },
    async close() {
      end.run();
      database.close();
    },
  };
}
