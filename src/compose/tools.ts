import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import type { ToolProvider } from '../ports/tool.ts';
import { createToolConnections } from '../services/tool-connections.ts';
import { createMailTools } from '../tools/mail/create-mail-tools.ts';
import { createSqlTools } from '../tools/sql/create-sql-tools.ts';
import { createTrackerTools } from '../tools/tracker/create-tracker-tools.ts';
import { createWikiTools } from '../tools/wiki/create-wiki-tools.ts';
import type { Systems } from './systems.ts';

export interface ToolParts {
  readonly store: Store;
  readonly sealer: Sealer;
  readonly systems: Systems;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (message: string, cause: unknown) => void;
}

/** Everything that models may be offered; each provider decides for each turn. */
export function createToolProviders(parts: ToolParts): readonly ToolProvider[] {
  const { store, sealer, systems, clock, random, report } = parts;
  const connections = createToolConnections({ store, sealer });
  const { client, mail } = systems;
  return [
    createSqlTools({ connections, clock, report }),
    createTrackerTools({ connections, client, random }),
    createWikiTools({ connections, client, random }),
    createMailTools({ connections, parts: mail, random }),
  ];
}
