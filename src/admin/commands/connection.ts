import { type Connection, connectionKinds } from '../../domain/connection.ts';
import { administrator, type Command, type Flag } from '../command.ts';
import { readList, readNumber } from '../flag-values.ts';
import { type PrintedRecord, printable, recordOutput, tableOutput } from '../format.ts';
import { organizationFilter, organizationFlag } from '../organization-flag.ts';
import { readAll } from '../read-all.ts';

const actorFlag: Flag = { name: 'actor', value: 'USER_ID', field: 'actorId', help: 'user who owns it' };

const settings: readonly Flag[] = [
  { name: 'path', value: 'FILE', field: 'path', help: 'sqlite: the database file' },
  {
    name: 'url',
    value: 'URL',
    field: 'url',
    help: 'postgres, mysql: postgres://user:password@host/database',
  },
  { name: 'site', value: 'URL', field: 'site', help: 'jira, confluence: address of the site' },
  { name: 'email', value: 'E', field: 'email', help: 'jira, confluence: account' },
  { name: 'token', value: 'T', field: 'token', help: 'jira, confluence: API token' },
  { name: 'projects', value: 'A,B', field: 'projects', read: readList, help: 'jira: only these projects' },
  { name: 'spaces', value: 'A,B', field: 'spaces', read: readList, help: 'confluence: only these spaces' },
  { name: 'host', value: 'H', field: 'host', help: 'imap: server' },
  { name: 'port', value: 'P', field: 'port', read: readNumber, help: 'imap: default 993' },
  { name: 'user', value: 'U', field: 'user', help: 'imap: account; graph, gmail: mail address' },
  { name: 'password', value: 'P', field: 'password', help: 'imap: password' },
  { name: 'no-tls', set: false, field: 'tls', help: 'imap: start in cleartext' },
  { name: 'tenant-id', value: 'ID', field: 'tenantId', help: 'graph: directory' },
  { name: 'client-id', value: 'ID', field: 'clientId', help: 'graph, gmail: application' },
  {
    name: 'client-secret',
    value: 'S',
    field: 'clientSecret',
    help: "graph, gmail: the application's secret",
  },
  { name: 'refresh-token', value: 'T', field: 'refreshToken', help: "gmail: the user's consent" },
];

export const connectionCommands: readonly Command[] = [
  {
    name: 'connection create',
    summary: 'Save and test a connection of a user or of an organization',
    flags: [
      actorFlag,
      organizationFlag,
      { name: 'name', value: 'N', field: 'name', help: '1 to 200 characters', required: true },
      { name: 'kind', value: 'K', field: 'kind', help: connectionKinds.join(', '), required: true },
      ...settings,
    ],
    async run({ connections }, { fields: { name, kind, actorId, organizationId, ...given } }) {
      const input = { name, kind, actorId, organizationId, settings: given };
      const { connection, test } = await connections.create(input, administrator);
      return recordOutput({ ...print(connection), test: test.detail });
    },
  },
  {
    name: 'connection list',
    summary: 'List connections',
    flags: [organizationFlag, actorFlag],
    run: async ({ connections }, { fields }) => {
      const { actorId } = fields;
      const filter = { ...organizationFilter(fields), ...(typeof actorId === 'string' && { actorId }) };
      const all = await readAll((page) => connections.list(filter, page));
      return tableOutput(all.map(print), ['id', 'name', 'kind', 'address', 'active', 'actor_id']);
    },
  },
  {
    name: 'connection test',
    summary: 'Test a connection; it is active while its last test passed',
    operand: 'ID',
    run: async ({ connections }, { id }) => recordOutput({ ...(await connections.test(id, administrator)) }),
  },
  {
    name: 'connection delete',
    summary: 'Delete a connection and its credentials',
    operand: 'ID',
    async run({ connections }, { id }) {
      await connections.delete(id, administrator);
      return recordOutput({ id, deleted: true });
    },
  },
];

function print(connection: Connection): PrintedRecord {
  return printable(connection, [
    'id',
    'organizationId',
    'actorId',
    'name',
    'kind',
    'address',
    'active',
    'testedAtMs',
    'createdAtMs',
  ]);
}
