import { scopes } from '../../domain/scopes.ts';
import type { ApiKeyWithUsage, IssuedApiKey } from '../../services/accounts/api-key-service.ts';
import { administrator, type Command, type CommandOutput, type Flag } from '../command.ts';
import { orNone, readList, readNumber, readTime } from '../flag-values.ts';
import { type PrintedRecord, printable, recordOutput, tableOutput } from '../format.ts';
import { organizationFilter, organizationFlag } from '../organization-flag.ts';
import { readAll } from '../read-all.ts';

const scopesFlag: Flag = {
  name: 'scopes',
  value: 'chat,excel',
  field: 'scopes',
  read: readList,
  help: `any of ${scopes.join(', ')}`,
};

const settings: readonly Flag[] = [
  { name: 'name', value: 'N', field: 'name', help: 'for people' },
  {
    name: 'models',
    value: 'a,b',
    field: 'models',
    read: readList,
    help: 'models it may use, its default first; "" for all of the organization\'s',
  },
  {
    name: 'rate-limit',
    value: 'N',
    field: 'rateLimitPerHour',
    read: readNumber,
    help: 'requests an hour, 1 to 1,000,000; default 1,000',
  },
  {
    name: 'token-budget',
    value: 'N|none',
    field: 'tokenBudget',
    read: orNone(readNumber),
    help: 'tokens a cycle; default 5,000,000',
  },
  {
    name: 'expires',
    value: 'ISO|none',
    field: 'expiresAtMs',
    read: orNone(readTime),
    help: 'when it ends, such as 2027-01-31T12:00:00Z',
  },
];

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    summary: 'Create an API key and print it, once',
    flags: [
      { ...organizationFlag, required: true },
      {
        name: 'actor',
        value: 'USER_ID',
        field: 'actorId',
        help: 'user on whose behalf it acts',
        required: true,
      },
      { ...scopesFlag, required: true },
      ...settings,
    ],
    run: async ({ apiKeys }, { fields }) => issued(await apiKeys.create(fields, administrator)),
  },
  {
    name: 'key update',
    summary: 'Change an API key',
    operand: 'ID',
    needsFlag: true,
    flags: [scopesFlag, ...settings],
    run: async ({ apiKeys }, { id, fields }) =>
      recordOutput(print(await apiKeys.update(id, fields, administrator))),
  },
  {
    name: 'key rotate',
    summary: 'Replace an API key and print the new one, once; the old one ends at once',
    operand: 'ID',
    run: async ({ apiKeys }, { id }) => issued(await apiKeys.rotate(id, administrator)),
  },
  {
    name: 'key revoke',
    summary: 'End an API key at once and for good',
    operand: 'ID',
    run: async ({ apiKeys }, { id }) => recordOutput(print(await apiKeys.revoke(id, administrator))),
  },
  {
    name: 'key show',
    summary: 'Show an API key; the key itself cannot be shown again',
    operand: 'ID',
    run: async ({ apiKeys }, { id }) => recordOutput(print(await apiKeys.get(id))),
  },
  {
    name: 'key list',
    summary: 'List API keys, of all organizations or of one',
    operand: '[ID]',
    flags: [organizationFlag],
    run: async ({ apiKeys }, { id, fields }) => {
      const filter = id === '' ? organizationFilter(fields) : { organizationId: id };
      const all = await readAll((page) => apiKeys.list(filter, page));
      const columns = ['id', 'name', 'hint', 'scopes', 'rate_limit_per_hour', 'token_budget'];
      return tableOutput(all.map(print), [...columns, 'tokens_this_cycle', 'last_used_at', 'revoked_at']);
    },
  },
];

function issued({ key, apiKey }: IssuedApiKey): CommandOutput {
  return recordOutput({ id: apiKey.id, key });
}

function print(apiKey: ApiKeyWithUsage): PrintedRecord {
  return printable(apiKey, [
    'id',
    'organizationId',
    'actorId',
    'name',
    'hint',
    'scopes',
    'models',
    'rateLimitPerHour',
    'tokenBudget',
    'requestsThisHour',
    'tokensThisCycle',
    'expiresAtMs',
    'revokedAtMs',
    'lastUsedAtMs',
    'createdAtMs',
    'updatedAtMs',
  ]);
}
