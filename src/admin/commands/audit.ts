import type { Command } from '../command.ts';
import { readNumber } from '../flag-values.ts';
import { printable, tableOutput } from '../format.ts';
import { organizationFilter, organizationFlag } from '../organization-flag.ts';

export const auditCommands: readonly Command[] = [
  {
    name: 'audit list',
    summary: 'List the changes that administrators made, the newest first',
    flags: [
      organizationFlag,
      { name: 'limit', value: 'N', field: 'limit', read: readNumber, help: '1 to 100; default 25' },
    ],
    async run({ audit }, { fields }) {
      const { limit } = fields;
      const page = await audit.list(organizationFilter(fields), typeof limit === 'number' ? { limit } : {});
      const events = page.data.map((event) =>
        printable(event, [
          'id',
          'createdAtMs',
          'actor',
          'organizationId',
          'action',
          'subjectType',
          'subjectId',
          'changes',
        ]),
      );
      return tableOutput(events, ['created_at', 'actor', 'action', 'subject_id', 'changes']);
    },
  },
];
