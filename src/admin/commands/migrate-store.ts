import type { KindSummary } from '../../services/migrate-store.ts';
import type { Command } from '../command.ts';
import { tableOutput } from '../format.ts';
import { UsageError } from '../parse-command.ts';

/** Reads the one value that a flag has so far. */
function only(value: string): (text: string) => string {
  return (text) => {
    if (text !== value) throw new UsageError(`"${text}" is not one of the stores: ${value}`);
    return text;
  };
}

export const migrateStoreCommand: Command = {
  name: 'migrate-store',
  summary: 'Move everything from DATA_DIR to MONGODB_URL; stop the service first',
  flags: [
    {
      name: 'from',
      value: 'sqlite',
      field: 'from',
      read: only('sqlite'),
      help: 'the store in DATA_DIR',
      required: true,
    },
    {
      name: 'to',
      value: 'mongodb',
      field: 'to',
      read: only('mongodb'),
      help: 'an empty database',
      required: true,
    },
  ],
  async runOnStores({ migrateStore }) {
    return tableOutput((await migrateStore()).map(print), ['kind', 'records', 'over', 'content_hash']);
  },
};

function print({ kind, count, over, contentHash }: KindSummary) {
  return { kind, records: count, over, content_hash: contentHash };
}
