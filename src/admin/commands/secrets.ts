import { administrator, type Command } from '../command.ts';
import { tableOutput } from '../format.ts';

export const secretsCommands: readonly Command[] = [
  {
    name: 'secrets reseal',
    summary: 'Seal with SECRETS_KEY what SECRETS_KEY_PREVIOUS sealed, so that it can be dropped',
    async runOnStores({ resealSecrets }) {
      const summaries = await resealSecrets(administrator);
      const stuck = summaries.flatMap(({ failed }) => failed);
      if (stuck.length > 0) {
        const keys = 'neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS opens';
        throw new Error(`${keys}:\n${stuck.join('\n')}\nEverything else is sealed with SECRETS_KEY.`);
      }
      const rows = summaries.map(({ kind, resealed, current }) => ({ kind, resealed, current }));
      return tableOutput(rows, ['kind', 'resealed', 'current']);
    },
  },
];
