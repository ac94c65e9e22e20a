import type { Organization } from '../../domain/organization.ts';
import { administrator, type Command, type Flag } from '../command.ts';
import { orNone, readList, readNumber, readText, readUsageLimit } from '../flag-values.ts';
import { type PrintedRecord, printable, recordOutput, tableOutput } from '../format.ts';
import { readAll } from '../read-all.ts';

const settings: readonly Flag[] = [
  { name: 'models', value: 'a,b', field: 'models', read: readList, help: 'models it may use; "" for all' },
  { name: 'subscription', value: 'active|none', field: 'subscription', help: 'default active' },
  { name: 'trial', set: true, field: 'trial', help: 'on a self-serve trial, which has no API access' },
  { name: 'no-trial', set: false, field: 'trial', help: 'not on a trial' },
  { name: 'suspended', set: true, field: 'suspended', help: 'refuse all its calls' },
  { name: 'no-suspended', set: false, field: 'suspended', help: 'take its calls again' },
  {
    name: 'pinned-mode',
    value: 'auto|technical|simple|none',
    field: 'pinnedMode',
    read: orNone(readText),
    help: "mode that overrides the caller's",
  },
  {
    name: 'token-pool',
    value: 'N|none',
    field: 'tokenPool',
    read: orNone(readNumber),
    help: 'tokens a cycle for all keys together',
  },
  {
    name: 'pool-reset-day',
    value: 'D',
    field: 'poolResetDay',
    read: readNumber,
    help: 'day of the month on which the cycle starts, 1 to 31',
  },
  {
    name: 'usage-pool',
    value: 'requests:1000/day|none',
    field: 'usagePool',
    read: orNone(readUsageLimit),
    help: 'usage shared by all actors: requests or tokens an hour, day or month',
  },
  {
    name: 'tracker-site',
    value: 'URL|demo|none',
    field: 'trackerSite',
    read: orNone(readText),
    help: 'pinned issue tracker; demo: the bundled sample',
  },
  { name: 'tracker-writes', set: true, field: 'trackerWrites', help: 'tools may write to the tracker' },
  { name: 'no-tracker-writes', set: false, field: 'trackerWrites', help: 'they may not' },
  {
    name: 'wiki-site',
    value: 'URL|demo|none',
    field: 'wikiSite',
    read: orNone(readText),
    help: 'pinned wiki; demo: the bundled sample',
  },
  { name: 'wiki-writes', set: true, field: 'wikiWrites', help: 'tools may write to the wiki' },
  { name: 'no-wiki-writes', set: false, field: 'wikiWrites', help: 'they may not' },
];

const name: Flag = { name: 'name', value: 'N', field: 'name', help: '1 to 200 characters' };

export const orgCommands: readonly Command[] = [
  {
    name: 'org create',
    summary: 'Create an organization',
    flags: [{ ...name, required: true }, ...settings],
    run: async ({ organizations }, { fields }) =>
      recordOutput(print(await organizations.create(fields, administrator))),
  },
  {
    name: 'org update',
    summary: 'Change an organization',
    operand: 'ID',
    needsFlag: true,
    flags: [name, ...settings],
    run: async ({ organizations }, { id, fields }) =>
      recordOutput(print(await organizations.update(id, fields, administrator))),
  },
  {
    name: 'org show',
    summary: 'Show an organization',
    operand: 'ID',
    run: async ({ organizations }, { id }) => recordOutput(print(await organizations.get(id))),
  },
  {
    name: 'org list',
    summary: 'List organizations',
    run: async ({ organizations }) => {
      const all = await readAll((page) => organizations.list(page));
      return tableOutput(all.map(print), ['id', 'name', 'subscription', 'trial', 'suspended', 'token_pool']);
    },
  },
];

function print(organization: Organization): PrintedRecord {
  return printable(organization, [
    'id',
    'name',
    'models',
    'subscription',
    'trial',
    'suspended',
    'pinnedMode',
    'tokenPool',
    'poolResetDay',
    'usagePool',
    'trackerSite',
    'trackerWrites',
    'wikiSite',
    'wikiWrites',
    'createdAtMs',
    'updatedAtMs',
  ]);
}
