import type { JobStore } from '../../ports/job-store.ts';
import type { Database } from './database.ts';

/** `dueAtMs`: when the job may be claimed; the end of its lease while `token` holds it. */
interface JobDocument {
  readonly dueAtMs: number;
  readonly token: string | null;
}

export function openJobs(database: Database): JobStore {
  const add = database.prepare(`
    INSERT INTO jobs (id, document) VALUES (?1, ?2)
    ON CONFLICT (id) DO UPDATE SET document = excluded.document WHERE token IS NULL AND due_at_ms > ?3`);
  const claim = database.prepare(`
    UPDATE jobs SET document = ?1
    WHERE id IN (SELECT id FROM jobs WHERE due_at_ms <= ?2 ORDER BY due_at_ms, id LIMIT ?3)
    RETURNING id`);
  const replace = database.prepare('UPDATE jobs SET document = ? WHERE id = ? AND token = ?');
  const remove = database.prepare('DELETE FROM jobs WHERE id = ? AND token = ?');
  const isDue = database.prepare('SELECT 1 FROM jobs WHERE due_at_ms <= ? LIMIT 1');

  const count = database.prepare(
    'SELECT count(*) - count(token) AS waiting, count(token) AS active FROM jobs',
  );

  function change(id: string, token: string, document: JobDocument): Promise<boolean> {
    return database.write(() => replace.run(JSON.stringify(document), id, token).changes > 0);
  }

  return {
    add: (id, notBeforeMs) =>
      database.write(() => {
        const document: JobDocument = { dueAtMs: notBeforeMs, token: null };
        add.run(id, JSON.stringify(document), notBeforeMs);
      }),
    async claim({ nowMs, leaseEndsAtMs, token, limit }) {
      // Looked at first, so that an idle worker writes nothing.
      if (isDue.get(nowMs) === undefined) return [];
      const document: JobDocument = { dueAtMs: leaseEndsAtMs, token };
      return database.write(() =>
        claim.all(JSON.stringify(document), nowMs, limit).map((row) => row.id as string),
      );
    },
    renew: (id, token, leaseEndsAtMs) => change(id, token, { dueAtMs: leaseEndsAtMs, token }),
    release: (id, token, notBeforeMs) => change(id, token, { dueAtMs: notBeforeMs, token: null }),
    async count() {
      const { waiting, active } = count.get() ?? {};
      return { waiting: Number(waiting), active: Number(active) };
    },
    remove: (id, token) => database.write(() => remove.run(id, token).changes > 0),
  };
}
