import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../src/admin/commands/commands.ts';
import { type AdminResult, runAdmin } from '../../src/admin/run-admin.ts';
import { type AccountHarness, openAccounts } from '../services/accounts/harness.ts';
import { openAgentServices } from '../services/agent/harness.ts';

let harness: AccountHarness;
let opened: number;
let closed: number;

beforeEach(() => {
  harness = openAccounts();
  opened = 0;
  closed = 0;
});

afterEach(() => harness.store.close());

function run(line: string, ...values: string[]): Promise<AdminResult> {
  const args = line.split(' ').map((word) => (word === '%' ? (values.shift() ?? '') : word));
  return runAdmin(args, async () => {
    opened += 1;
    return {
      ...harness.services,
      ...openAgentServices(harness),
      async close() {
        closed += 1;
      },
    };
  });
}

/** Runs a command with `--json` and returns the value that it prints. */
async function json(line: string, ...values: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr, exitCode } = await run(`${line} --json`, ...values);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout.endsWith('\n')).toBe(true);
  return JSON.parse(stdout);
}

describe('the documented commands', () => {
  test('org create takes every flag', async () => {
    const organization = await json(
      'org create --name % --models a,b --subscription none --trial --suspended --pinned-mode simple ' +
        '--token-pool 5000 --pool-reset-day 15 --usage-pool requests:1000/day --tracker-site https://t.example ' +
        '--tracker-writes --wiki-site https://w.example --wiki-writes',
      'My company',
    );
    expect(organization).toEqual({
      id: expect.any(String),
      name: 'My company',
      models: ['a', 'b'],
      subscription: 'none',
      trial: true,
      suspended: true,
      pinned_mode: 'simple',
      token_pool: 5_000,
      pool_reset_day: 15,
      usage_pool: { unit: 'requests', limit: 1_000, window: 'day' },
      tracker_site: 'https://t.example',
      tracker_writes: true,
      wiki_site: 'https://w.example',
      wiki_writes: true,
      created_at: '2026-05-15T12:00:00.000Z',
      updated_at: '2026-05-15T12:00:00.000Z',
    });
    const undone = await json(
      'org update % --no-trial --no-suspended --no-tracker-writes --no-wiki-writes --pinned-mode none ' +
        '--token-pool none --usage-pool none --tracker-site none --wiki-site none --models %',
      String(organization.id),
      '',
    );
    expect(undone).toMatchObject({
      models: [],
      trial: false,
      suspended: false,
      pinned_mode: null,
      token_pool: null,
      usage_pool: null,
      tracker_site: null,
      tracker_writes: false,
      wiki_site: null,
      wiki_writes: false,
    });
    expect(await json('org show %', String(organization.id))).toEqual(undone);
    expect(await json('org list')).toEqual([undone]);
  });

  test('user create and update take every flag, and never print a password', async () => {
    const { id: org } = await json('org create --name A');
    const created = await json(
      'user create --org % --email E@example.com --name Ada --password % --role admin ' +
        '--usage-limit tokens:100000/day --models a,b',
      String(org),
      'correct horse battery',
    );
    expect(created).toEqual({
      id: expect.any(String),
      organization_id: org,
      email: 'e@example.com',
      name: 'Ada',
      role: 'admin',
      active: true,
      usage_limit: { unit: 'tokens', limit: 100_000, window: 'day' },
      models: ['a', 'b'],
      created_at: '2026-05-15T12:00:00.000Z',
      updated_at: '2026-05-15T12:00:00.000Z',
    });
    const id = String(created.id);
    expect(await json('user update % --inactive --usage-limit none', id)).toMatchObject({
      active: false,
      usage_limit: null,
    });
    expect(await json('user update % --active --name % --role member', id, 'Ada L')).toMatchObject({
      active: true,
      name: 'Ada L',
      role: 'member',
    });
    await json('user update % --password none', id);
    expect((await harness.store.users.get(id))?.passwordHash).toBeNull();
    expect(await json('user list --org %', String(org))).toEqual([await json('user show %', id)]);
    expect(await json('user list --org none')).toEqual([]);
  });

  test('key create and rotate print the id and the key, the others the record', async () => {
    const { id: org } = await json('org create --name A');
    const { id: user } = await json('user create --org % --email a@b.c --name A', String(org));
    const created = await json(
      'key create --org % --actor % --scopes chat,excel --models a,b --rate-limit 5 --token-budget none ' +
        '--expires 2027-01-31T12:00:00+02:00 --name n',
      String(org),
      String(user),
    );
    expect(created).toEqual({ id: expect.any(String), key: expect.stringMatching(/^svc_live_/) });
    const id = String(created.id);
    const record = {
      id,
      organization_id: org,
      actor_id: user,
      name: 'n',
      hint: String(created.key).slice(-4),
      scopes: ['chat', 'excel'],
      models: ['a', 'b'],
      rate_limit_per_hour: 5,
      token_budget: null,
      requests_this_hour: null,
      tokens_this_cycle: 0,
      expires_at: '2027-01-31T10:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
      created_at: '2026-05-15T12:00:00.000Z',
      updated_at: '2026-05-15T12:00:00.000Z',
    };
    expect(await json('key show %', id)).toEqual(record);
    expect(await json('key list')).toEqual([record]);
    expect(await json('key list %', String(org))).toEqual([record]);
    expect(await json('key list other')).toEqual([]);
    expect(await json('key update % --token-budget 7 --expires none --rate-limit 1_000', id)).toMatchObject({
      token_budget: 7,
      expires_at: null,
      rate_limit_per_hour: 1_000,
    });
    const rotated = await json('key rotate %', id);
    expect(rotated).toEqual({ id, key: expect.stringMatching(/^svc_live_/) });
    expect(rotated.key).not.toBe(created.key);
    expect(await json('key revoke %', id)).toMatchObject({ revoked_at: '2026-05-15T12:00:00.000Z' });
  });

  test.for([
    ['sqlite', '--path /x.db', '/x.db'],
    ['postgres', '--url postgres://u:SECRET@h/d', 'postgres://h/d'],
    ['mysql', '--url mysql://u:SECRET@h/d', 'mysql://h/d'],
    ['jira', '--site https://j.example --email a@b.c --token SECRET', 'https://j.example'],
    ['confluence', '--site https://c.example --email a@b.c --token SECRET', 'https://c.example'],
    ['imap', '--host h --port 143 --user u --password SECRET --no-tls', 'imap://h:143/u'],
  ] as const)('connection create --kind %s takes its flags', async ([kind, flags, address]) => {
    const { id: org } = await json('org create --name A');
    const { id: user } = await json('user create --org % --email a@b.c --name A', String(org));
    const created = await json(`connection create --actor % --name C --kind ${kind} ${flags}`, String(user));
    expect(created).toMatchObject({ organization_id: org, actor_id: user, kind, address, active: true });
    expect(created.test).toBe('fine');
    const id = String(created.id);
    expect(await json('connection test %', id)).toEqual({ ok: true, detail: 'fine' });
    expect(await json('connection list')).toMatchObject([{ id, tested_at: '2026-05-15T12:00:00.000Z' }]);
    expect(await json('connection list --actor nobody')).toEqual([]);
    expect(await json('connection delete %', id)).toEqual({ id, deleted: true });
    expect(JSON.stringify(created)).not.toContain('SECRET');
  });

  test('audit list shows the changes of the command line', async () => {
    await json('org create --name A');
    expect(await json('audit list --limit 5')).toMatchObject([
      { actor: 'cli', action: 'organization.create' },
    ]);
  });
});

describe('output', () => {
  test('for people is a table, or a line for each field', async () => {
    const { id } = await json('org create --name %', 'Line\u001b[31m\nbreak');
    harness.nowMs += 1;
    await json('org create --name B --token-pool 5');
    const { stdout } = await run('org list');
    const [head, first, second] = stdout.split('\n');
    expect(head).toMatch(/^ID +NAME +SUBSCRIPTION +TRIAL +SUSPENDED +TOKEN_POOL$/);
    expect(first).toContain('Line�[31m�break');
    expect(head?.indexOf('SUBSCRIPTION')).toBe(first?.indexOf('active'));
    expect(head?.indexOf('SUBSCRIPTION')).toBe(second?.indexOf('active'));
    expect((await run('org show %', String(id))).stdout).toMatch(/^subscription +active$/m);
  });

  test('lists hold everything, beyond one page', async () => {
    for (let index = 0; index < 205; index += 1) {
      await harness.services.organizations.create({ name: `O${index}` }, 'cli');
    }
    expect(await json('org list')).toHaveLength(205);
  });
});

describe('failures', () => {
  test('of a field name its flag, on standard error, with exit status 1', async () => {
    const { id } = await json('org create --name A');
    expect(await run('org update % --pool-reset-day 32 --usage-pool often', String(id))).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^--pool-reset-day must be .*\n--usage-pool must have .*\n$/),
      exitCode: 1,
    });
  });

  test.for([
    'org show none',
    'user create --org none --email a@b.c --name A',
    'key rotate none',
    'connection delete none --json',
  ])('of %j exit with 1 and print nothing on standard output', async (line) => {
    const result = await run(line);
    expect(result).toMatchObject({ stdout: '', exitCode: 1 });
    expect(result.stderr).not.toBe('');
    expect([opened, closed]).toEqual([1, 1]);
  });

  test('to open the store exit with 1', async () => {
    const result = await runAdmin(['org', 'list'], () => Promise.reject(new Error('no such store')));
    expect(result).toEqual({ stdout: '', stderr: 'no such store\n', exitCode: 1 });
  });

  test.for([
    '',
    'org',
    'org destroy',
    'nonsense',
    'org create',
    'org create --name A --colour red',
    'org create --name A extra',
    'org create --name',
    'org create --name A --trial --no-trial',
    'org update',
    'org update some-id',
    'key rotate',
    'key create --org a --actor b',
    'org show one two',
    'user update id --active --inactive',
  ])('of usage exit with 2 before anything is opened: %j', async (line) => {
    const result = await run(line);
    expect(result).toMatchObject({ stdout: '', exitCode: 2 });
    expect(result.stderr).toContain('Usage: npm run -s admin --');
    expect(opened).toBe(0);
  });
});

describe('help', () => {
  test.for(['--help', 'org --help', 'org create --help', 'key rotate some-id -h', 'nonsense --help'])(
    'is printed by %j',
    async (line) => {
      const result = await run(line);
      expect(result).toMatchObject({ stderr: '', exitCode: 0 });
      expect(result.stdout).toContain('Usage: npm run -s admin --');
      expect(opened).toBe(0);
    },
  );

  test('names every command, and each command every flag of its own', async () => {
    const { stdout } = await run('--help');
    for (const command of commands) {
      expect(stdout).toContain(command.name);
      const own = (await run(`${command.name} --help`)).stdout;
      for (const flag of command.flags ?? []) expect(own).toContain(`--${flag.name}`);
    }
  });
});
