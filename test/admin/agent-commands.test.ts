import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AdminResult, runAdmin } from '../../src/admin/run-admin.ts';
import { type AccountHarness, createPeople, openAccounts } from '../services/accounts/harness.ts';
import { openAgentServices } from '../services/agent/harness.ts';

let harness: AccountHarness;
let people: Awaited<ReturnType<typeof createPeople>>;

beforeEach(async () => {
  harness = openAccounts();
  people = await createPeople(harness);
});

afterEach(() => harness.store.close());

function run(...args: readonly string[]): Promise<AdminResult> {
  return runAdmin(args, async () => ({
    ...harness.services,
    ...openAgentServices(harness),
    close: async () => undefined,
  }));
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was printed
async function json(...args: readonly string[]): Promise<any> {
  const { stdout, stderr, exitCode } = await run(...args, '--json');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return JSON.parse(stdout);
}

const create = (...more: readonly string[]) =>
  json('agent', 'create', '--owner', people.user.id, '--name', 'Nightly', '--prompt', 'Report.', ...more);

describe('agent commands', () => {
  test('create takes every flag and prints the agent, no secret among its fields', async () => {
    const agent = await create(
      ...['--org', people.organization.id, '--model', 'large', '--mode', 'simple'],
      ...['--tools', 'sql.read,wiki.write', '--schedule', '30 8 * * 1-5', '--timezone', 'Europe/Berlin'],
      ...['--expires', '2099-01-01', '--time-limit', '60', '--webhook-writes'],
    );
    expect(agent).toEqual({
      id: expect.any(String),
      organization_id: people.organization.id,
      owner_id: people.user.id,
      name: 'Nightly',
      prompt: 'Report.',
      model: 'large',
      mode: 'simple',
      tool_scopes: ['sql.read', 'wiki.write'],
      schedule: '30 8 * * 1-5',
      timezone: 'Europe/Berlin',
      status: expect.any(String),
      next_run_at: '2026-05-18T06:30:00.000Z',
      expires_at: '2099-01-01T00:00:00.000Z',
      time_limit_seconds: 60,
      notifications: [],
      webhook_writes: true,
      webhook_configured: false,
      created_at: '2026-05-15T12:00:00.000Z',
      updated_at: '2026-05-15T12:00:00.000Z',
    });
  });

  test('update, pause, resume, show and delete follow the agent', async () => {
    const { id } = await create('--schedule', '0 * * * *');
    expect(await json('agent', 'update', id, '--schedule', 'none')).toMatchObject({ next_run_at: null });
    expect(await json('agent', 'pause', id)).toMatchObject({ status: 'paused' });
    expect(await json('agent', 'resume', id)).toMatchObject({ status: 'active' });
    expect(await json('agent', 'show', id)).toMatchObject({ id, name: 'Nightly' });
    expect(await json('agent', 'delete', id)).toEqual({ id, deleted: true });
    expect((await run('agent', 'show', id)).exitCode).toBe(1);
    const actions = (await harness.store.auditEvents.list({}, { limit: 10 })).data.map(
      ({ action }) => action,
    );
    expect(actions.filter((action) => action.startsWith('agent.')).toSorted()).toEqual(
      ['agent.create', 'agent.delete', 'agent.pause', 'agent.resume', 'agent.update'].toSorted(),
    );
  });

  test('list and runs show what there is, of deleted agents too', async () => {
    const { id } = await create();
    await create();
    expect(await json('agent', 'list')).toHaveLength(2);
    expect(await json('agent', 'list', people.user.id)).toHaveLength(2);
    expect(await json('agent', 'list', '--owner', 'nobody')).toEqual([]);
    const { runs } = openAgentServices(harness);
    const access = { ownerId: null, by: 'cli' };
    await runs.run(id, access);
    await runs.run(id, access);
    await json('agent', 'delete', id);
    expect(await json('agent', 'list')).toHaveLength(1);
    expect(await json('agent', 'runs', id)).toMatchObject([
      { status: 'skipped', skip_reason: 'already_running' },
      { status: 'cancelled', trigger_type: 'manual' },
    ]);
  });

  test('an owner of another organization and a wrong schedule are refused', async () => {
    const args = ['agent', 'create', '--owner', people.user.id, '--name', 'A', '--prompt', 'B'];
    const foreign = await run(...args, '--org', 'other');
    expect([foreign.exitCode, foreign.stderr]).toEqual([1, expect.stringContaining('owner')]);
    const wrong = await run(...args, '--schedule', 'daily');
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('schedule')]);
  });
});
