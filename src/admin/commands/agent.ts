import { type Agent, agentStatus, toolScopes } from '../../domain/agent.ts';
import type { Run } from '../../domain/run.ts';
import { refuse } from '../../services/accounts/field-rules.ts';
import type { AgentAccess } from '../../services/agent/agent-dependencies.ts';
import { type AdminContext, administrator, type Command, type Flag } from '../command.ts';
import { orNone, readList, readNumber, readText, readTime } from '../flag-values.ts';
import { type PrintedRecord, printable, recordOutput, tableOutput } from '../format.ts';
import { organizationFlag } from '../organization-flag.ts';

/** The command line sees everybody's agents. */
const access: AgentAccess = { ownerId: null, by: administrator };

const nameFlag: Flag = { name: 'name', value: 'N', field: 'name', help: '1 to 200 characters' };
const promptFlag: Flag = { name: 'prompt', value: 'P', field: 'prompt', help: 'what the agent is to do' };
const ownerFlag: Flag = { name: 'owner', value: 'USER_ID', field: 'ownerId', help: 'user who owns it' };

const settings: readonly Flag[] = [
  {
    name: 'model',
    value: 'M|none',
    field: 'model',
    read: orNone(readText),
    help: "model; default: the owner's first",
  },
  { name: 'mode', value: 'M', field: 'mode', help: 'auto, technical or simple' },
  {
    name: 'tools',
    value: 'a,b',
    field: 'toolScopes',
    read: readList,
    help: `scopes of its tools: any of ${toolScopes.join(', ')}`,
  },
  {
    name: 'schedule',
    value: 'CRON|none',
    field: 'schedule',
    read: orNone(readText),
    help: 'five fields, such as "30 8 * * 1-5"',
  },
  { name: 'timezone', value: 'TZ', field: 'timezone', help: 'of the schedule; default UTC' },
  {
    name: 'expires',
    value: 'ISO|none',
    field: 'expiresAtMs',
    read: orNone(readTime),
    help: 'when it ends, such as 2027-01-31T12:00:00Z',
  },
  {
    name: 'time-limit',
    value: 'S',
    field: 'timeLimitSeconds',
    read: readNumber,
    help: 'of one run, 1 to 3,600 seconds; default 300',
  },
  { name: 'webhook-writes', set: true, field: 'webhookWrites', help: 'runs by webhook may write' },
  { name: 'no-webhook-writes', set: false, field: 'webhookWrites', help: 'runs by webhook only read' },
];

export const agentCommands: readonly Command[] = [
  {
    name: 'agent create',
    summary: 'Save an agent of a user',
    flags: [
      organizationFlag,
      { ...ownerFlag, required: true },
      { ...nameFlag, required: true },
      { ...promptFlag, required: true },
      ...settings,
    ],
    async run({ agents, users }, { fields: { organizationId, ownerId, ...input } }) {
      const owner = await users.get(String(ownerId));
      if (organizationId !== undefined && organizationId !== owner.organizationId) {
        refuse('owner', 'is a user of another organization');
      }
      return recordOutput(print((await agents.create(owner.id, input, access)).agent));
    },
  },
  {
    name: 'agent update',
    summary: 'Change an agent',
    operand: 'ID',
    needsFlag: true,
    flags: [nameFlag, promptFlag, ...settings],
    run: async ({ agents }, { id, fields }) =>
      recordOutput(print((await agents.update(id, fields, access)).agent)),
  },
  {
    name: 'agent pause',
    summary: 'Pause an agent: no schedule, no webhook',
    operand: 'ID',
    run: async ({ agents }, { id }) => recordOutput(print(await agents.pause(id, access))),
  },
  {
    name: 'agent resume',
    summary: 'Resume a paused agent',
    operand: 'ID',
    run: async ({ agents }, { id }) => recordOutput(print(await agents.resume(id, access))),
  },
  {
    name: 'agent delete',
    summary: 'Delete an agent; the records of its runs stay',
    operand: 'ID',
    async run({ agents }, { id }) {
      await agents.delete(id, access);
      return recordOutput({ id, deleted: true });
    },
  },
  {
    name: 'agent show',
    summary: 'Show an agent',
    operand: 'ID',
    run: async ({ agents }, { id }) => recordOutput(print(await agents.get(id, access))),
  },
  {
    name: 'agent list',
    summary: 'List agents, of all users or of one, the newest first',
    operand: '[ID]',
    flags: [{ ...ownerFlag, help: 'only those of this user' }],
    async run({ agents }, { id, fields }) {
      const ownerId = id === '' ? fields.ownerId : id;
      const all = await listAll(agents, typeof ownerId === 'string' ? { ...access, ownerId } : access);
      const columns = ['id', 'name', 'status', 'schedule', 'timezone', 'next_run_at', 'owner_id'];
      return tableOutput(all.map(print), columns);
    },
  },
  {
    name: 'agent runs',
    summary: 'List the last 100 runs of an agent, skipped ones too, the newest first',
    operand: 'ID',
    async run({ runs }, { id }) {
      const { data } = await runs.list(id, { limit: 100, includeSkipped: true }, access);
      const columns = ['id', 'trigger_type', 'status', 'skip_reason', 'attempt', 'queued_at', 'finished_at'];
      return tableOutput(data.map(printRun), [...columns, 'error']);
    },
  },
];

async function listAll(agents: AdminContext['agents'], owned: AgentAccess): Promise<readonly Agent[]> {
  const all: Agent[] = [];
  let page = await agents.list({ limit: 100 }, owned);
  all.push(...page.data);
  while (page.nextCursor !== undefined) {
    page = await agents.list({ limit: 100, cursor: page.nextCursor }, owned);
    all.push(...page.data);
  }
  return all;
}

function print(agent: Agent): PrintedRecord {
  const status = agentStatus(agent, Date.now());
  const webhookConfigured = agent.sealedWebhookSecret !== null;
  return printable({ ...agent, status, webhookConfigured }, [
    'id',
    'organizationId',
    'ownerId',
    'name',
    'prompt',
    'model',
    'mode',
    'toolScopes',
    'schedule',
    'timezone',
    'status',
    'nextRunAtMs',
    'expiresAtMs',
    'timeLimitSeconds',
    'notifications',
    'webhookWrites',
    'webhookConfigured',
    'createdAtMs',
    'updatedAtMs',
  ]);
}

function printRun(run: Run): PrintedRecord {
  return printable(run, [
    'id',
    'agentId',
    'triggerType',
    'status',
    'skipReason',
    'attempt',
    'queuedAtMs',
    'startedAtMs',
    'finishedAtMs',
    'output',
    'error',
    'usage',
    'toolCalls',
    'payloadBytes',
    'payloadTruncated',
  ]);
}
