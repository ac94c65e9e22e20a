import type { Clock } from '../../ports/clock.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import type { SqlKind, SqlSettings } from './drivers.ts';
import type { SqlDriver, SqlInspection, SqlLimits } from './sql-driver.ts';

/** Remembers for a while what a look at each database has shown. */
export interface InspectionCache {
  /** Looks at most once at a time, and not at all while the last look is recent. @throws SqlFailure */
  get(opened: OpenedConnection<SqlKind>, driver: SqlDriver<SqlSettings>): Promise<SqlInspection>;
}

interface Entry {
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
  readonly inspection: Promise<SqlInspection>;
}

export function createInspectionCache(clock: Clock, limits: SqlLimits, ageMs: number): InspectionCache {
  const entries = new Map<string, Entry>();

  function forgetExpired(): void {
    const now = clock.now();
    for (const [id, { expiresAtMs }] of entries) if (expiresAtMs <= now) entries.delete(id);
  }

  return {
    get({ connection, settings }, driver) {
      forgetExpired();
      const { id, updatedAtMs } = connection;
      const known = entries.get(id);
      if (known?.updatedAtMs === updatedAtMs) return known.inspection;
      const signal = AbortSignal.timeout(limits.connectTimeoutMs + limits.statementTimeoutMs);
      const inspection = driver.inspect(settings, { limits, signal });
      const entry = { updatedAtMs, expiresAtMs: clock.now() + ageMs, inspection };
      entries.set(id, entry);
      entry.inspection.catch(() => {
        if (entries.get(id) === entry) entries.delete(id);
      });
      return entry.inspection;
    },
  };
}
