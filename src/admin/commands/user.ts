import type { User } from '../../domain/organization.ts';
import { administrator, type Command, type Flag } from '../command.ts';
import { orNone, readList, readText, readUsageLimit } from '../flag-values.ts';
import { type PrintedRecord, printable, recordOutput, tableOutput } from '../format.ts';
import { organizationFilter, organizationFlag } from '../organization-flag.ts';
import { readAll } from '../read-all.ts';

const email: Flag = { name: 'email', value: 'E', field: 'email', help: 'unique over all organizations' };
const name: Flag = { name: 'name', value: 'N', field: 'name', help: '1 to 200 characters' };

const settings: readonly Flag[] = [
  {
    name: 'password',
    value: 'P|none',
    field: 'password',
    read: orNone(readText),
    help: 'at least 12 characters; without one the user cannot sign in',
  },
  { name: 'role', value: 'admin|member', field: 'role', help: 'default member' },
  {
    name: 'usage-limit',
    value: 'tokens:100000/day|none',
    field: 'usageLimit',
    read: orNone(readUsageLimit),
    help: 'requests or tokens an hour, day or month',
  },
  {
    name: 'models',
    value: 'a,b',
    field: 'models',
    read: readList,
    help: 'models the user may use; "" for all',
  },
];

export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    summary: 'Create a user',
    flags: [
      { ...organizationFlag, required: true },
      { ...email, required: true },
      { ...name, required: true },
      ...settings,
    ],
    run: async ({ users }, { fields }) => recordOutput(print(await users.create(fields, administrator))),
  },
  {
    name: 'user update',
    summary: 'Change a user',
    operand: 'ID',
    needsFlag: true,
    flags: [
      email,
      name,
      ...settings,
      { name: 'active', set: true, field: 'active', help: 'let the user act again' },
      { name: 'inactive', set: false, field: 'active', help: "refuse the calls of the user's keys" },
    ],
    run: async ({ users }, { id, fields }) =>
      recordOutput(print(await users.update(id, fields, administrator))),
  },
  {
    name: 'user show',
    summary: 'Show a user',
    operand: 'ID',
    run: async ({ users }, { id }) => recordOutput(print(await users.get(id))),
  },
  {
    name: 'user list',
    summary: 'List users, of all organizations or of one',
    flags: [organizationFlag],
    run: async ({ users }, { fields }) => {
      const all = await readAll((page) => users.list(organizationFilter(fields), page));
      return tableOutput(all.map(print), ['id', 'email', 'name', 'role', 'active', 'organization_id']);
    },
  },
];

function print(user: User): PrintedRecord {
  return printable(user, [
    'id',
    'organizationId',
    'email',
    'name',
    'role',
    'active',
    'usageLimit',
    'models',
    'createdAtMs',
    'updatedAtMs',
  ]);
}
