import type { Clock } from '../ports/clock.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import type { ToolProvider } from '../ports/tool.ts';
import { createToolConnections } from '../services/tool-connections.ts';
import { createSqlTools } from '../tools/sql/create-sql-tools.ts';

export interface ToolParts {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly report: (message: string, cause: unknown) => void;
}

/** Everything that models may be offered; each provider decides for each turn. */
export function createToolProviders({ store, sealer, clock, report }: ToolParts): readonly ToolProvider[] {
  const connections = createToolConnections({ store, sealer });
  return [createSqlTools({ connections, clock, report })];
}
