import type { StoredMessage } from '../../domain/conversation.ts';
import type { Turn } from '../../domain/turn.ts';
import type { CommitResult, TurnStore, UnfinishedQuery } from '../../ports/turn-store.ts';
import type { Database } from './database.ts';

type Row = Readonly<Record<string, unknown>>;

/** What of a turn has columns of its own. */
type WithColumns = 'id' | 'status' | 'applied' | 'fence' | 'leaseEndsAtMs' | 'entry' | 'committedAtMs';
type TurnDocument = Omit<Turn, WithColumns>;

const unfinished: Readonly<Record<UnfinishedQuery['state'], string>> = {
  unapplied: "status = 'committed' AND applied = 0 AND due_at_ms < ? ORDER BY due_at_ms",
  dead: "status = 'running' AND applied = 0 AND due_at_ms < ? ORDER BY due_at_ms",
  expired: `claim_expires_at_ms < ? AND claim_expires_at_ms IS NOT NULL
    AND (status = 'committed' AND applied = 1 OR status = 'running' AND due_at_ms < claim_expires_at_ms)
    ORDER BY claim_expires_at_ms`,
};

export function openTurns(database: Database): TurnStore {
  const insert = database.prepare(`
    INSERT INTO turns (id, document, status, applied, fence, due_at_ms, claim_name, claim_expires_at_ms)
    VALUES (?, ?, ?, 0, ?, ?, ?, ?)`);
  const select = database.prepare('SELECT * FROM turns WHERE id = ?');
  const selectClaim = database.prepare('SELECT * FROM turns WHERE claim_name = ?');
  const selectRunning = database.prepare(
    "SELECT * FROM turns WHERE id = ? AND fence = ? AND status = 'running'",
  );
  const takeOver = database.prepare(
    'UPDATE turns SET document = ?, fence = fence + 1, due_at_ms = ?, applied = 0 WHERE id = ?',
  );
  const move = database.prepare(
    "UPDATE turns SET due_at_ms = ?, applied = 0 WHERE id = ? AND fence = ? AND status = 'running'",
  );
  const replace = database.prepare('UPDATE turns SET document = ? WHERE id = ?');
  const isTaken = database.prepare('SELECT 1 FROM turns WHERE conversation_id = ? AND position = ?');
  const commit = database.prepare(`
    UPDATE turns SET document = ?, status = 'committed', applied = 0, due_at_ms = ?, claim_expires_at_ms = ?,
      conversation_id = ?, position = ?, messages = ?
    WHERE id = ?`);
  const remove = database.prepare("DELETE FROM turns WHERE id = ? AND fence = ? AND status = 'running'");
  const setApplied = database.prepare('UPDATE turns SET applied = 1 WHERE id = ?');
  const prune = database.prepare(`
    DELETE FROM turns
    WHERE id = ? AND status = 'committed' AND applied = 1 AND claim_name IS NULL AND conversation_id IS NULL`);
  const dropClaim = database.prepare(`
    UPDATE turns SET document = ?, claim_name = NULL, claim_expires_at_ms = NULL WHERE id = ?`);
  const entries = database.prepare(`
    SELECT position, messages FROM turns
    WHERE conversation_id = ? AND position < ? ORDER BY position DESC LIMIT ?`);
  const lists = {
    unapplied: database.prepare(`SELECT * FROM turns WHERE ${unfinished.unapplied} LIMIT ?`),
    dead: database.prepare(`SELECT * FROM turns WHERE ${unfinished.dead} LIMIT ?`),
    expired: database.prepare(`SELECT * FROM turns WHERE ${unfinished.expired} LIMIT ?`),
  };

  function findRunning(id: string, fence: number): Turn | undefined {
    const row = selectRunning.get(id, fence);
    return row === undefined ? undefined : toTurn(row);
  }

  return {
    begin: (turn) =>
      database.write(() => {
        const holder = turn.claim === null ? undefined : selectClaim.get(turn.claim.name);
        if (holder !== undefined) return toTurn(holder);
        const { id, status, fence, leaseEndsAtMs, claim } = turn;
        const expiresAtMs = claim?.expiresAtMs ?? null;
        insert.run(id, toDocument(turn), status, fence, leaseEndsAtMs, claim?.name ?? null, expiresAtMs);
        return undefined;
      }),

    async get(id) {
      const row = select.get(id);
      return row === undefined ? undefined : toTurn(row);
    },

    takeOver: (id, fence, { nowMs, leaseEndsAtMs, holds }) =>
      database.write(() => {
        const turn = findRunning(id, fence);
        if (turn === undefined || turn.leaseEndsAtMs > nowMs) return undefined;
        const taken = { ...turn, fence: fence + 1, leaseEndsAtMs, holds: [...turn.holds, ...holds] };
        takeOver.run(toDocument(taken), leaseEndsAtMs, id);
        return { ...taken, applied: false };
      }),

    renew: (id, fence, leaseEndsAtMs) => database.write(() => move.run(leaseEndsAtMs, id, fence).changes > 0),

    journal: (id, fence, journal) =>
      database.write(() => {
        const turn = findRunning(id, fence);
        if (turn === undefined) return false;
        replace.run(toDocument({ ...turn, ...journal }), id);
        return true;
      }),

    commit: (id, fence, { entry, claimExpiresAtMs, committedAtMs, ...result }) =>
      database.write((): CommitResult => {
        const turn = findRunning(id, fence);
        if (turn === undefined) return 'superseded';
        const place =
          entry === null || result.conversation === null ? null : { id: result.conversation.id, entry };
        if (place !== null && isTaken.get(place.id, place.entry.position) !== undefined)
          return 'position_taken';
        const claim = turn.claim && {
          ...turn.claim,
          expiresAtMs: claimExpiresAtMs ?? turn.claim.expiresAtMs,
        };
        commit.run(
          toDocument({ ...turn, ...result, claim, rounds: [] }),
          committedAtMs,
          claim?.expiresAtMs ?? null,
          place?.id ?? null,
          place?.entry.position ?? null,
          place === null ? null : JSON.stringify(place.entry.messages),
          id,
        );
        return 'committed';
      }),

    release: (id, fence, nowMs) => database.write(() => void move.run(nowMs, id, fence)),

    abandon: (id, fence) => database.write(() => void remove.run(id, fence)),

    markApplied: (ids) =>
      database.write(() => {
        for (const id of ids) {
          setApplied.run(id);
          prune.run(id);
        }
      }),

    forgetClaim: (id) =>
      database.write(() => {
        const row = select.get(id);
        if (row === undefined || row.status !== 'committed') return;
        dropClaim.run(toDocument({ ...toTurn(row), claim: null, answer: null }), id);
        prune.run(id);
      }),

    async entries(conversationId, { limit, beforePosition = Number.MAX_SAFE_INTEGER }) {
      return entries.all(conversationId, beforePosition, limit).map((row) => ({
        position: row.position as number,
        messages: JSON.parse(row.messages as string) as readonly StoredMessage[],
      }));
    },

    async listUnfinished({ state, beforeMs, limit }) {
      return lists[state].all(beforeMs, limit).map(toTurn);
    },
  };
}

function toDocument(turn: Turn): string {
  const { id: _, status, applied, fence, leaseEndsAtMs, entry, committedAtMs, ...document } = turn;
  return JSON.stringify(document satisfies TurnDocument);
}

/** Returns the record of a row. */
export function toTurn(row: Row): Turn {
  const document = JSON.parse(row.document as string) as TurnDocument;
  const status = row.status as Turn['status'];
  const dueAtMs = row.due_at_ms as number;
  const messages = row.messages as string | null;
  return {
    ...document,
    id: row.id as string,
    status,
    applied: row.applied === 1,
    fence: row.fence as number,
    leaseEndsAtMs: status === 'running' ? dueAtMs : 0,
    committedAtMs: status === 'committed' ? dueAtMs : null,
    entry:
      messages === null
        ? null
        : {
            position: row.position as number,
            messages: JSON.parse(messages) as readonly StoredMessage[],
          },
  };
}
