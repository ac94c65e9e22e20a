import type { Clock } from '../../ports/clock.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import { driverOf, type SqlKind } from './drivers.ts';
import type { SqlInspection, SqlLimits } from './sql-driver.ts';

/** Remembers for a while what a look at each database has shown. */
export interface InspectionCache {
  /** Looks at most once at a time, and not at all while the last look is recent. @throws SqlFailure */
  get(opened: OpenedConnection<SqlKind>): Promise<SqlInspection>;
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

  function look({ settings }: OpenedConnection<SqlKind>): Promise<SqlInspection> {
    const signal = AbortSignal.timeout(limits.connectTimeoutMs + limits.statementTimeoutMs);
    return driverOf(settings).inspect(settings, { limits, signal });
  }

  return {
    get(opened) {
      forgetExpired();
      const { id, updatedAtMs } = opened.connection;
      const known = entries.get(id);
      if (known?.updatedAtMs === updatedAtMs) return known.inspection;
      const entry = { updatedAtMs, expiresAtMs: clock.now() + ageMs, inspection: look(opened) };
      entries.set(id, entry);
      entry.inspection.catch(() => {
        if (entries.get(id) === entry) entries.delete(id);
      });
      return entry.inspection;
    },
  };
}
