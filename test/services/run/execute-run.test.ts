import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import type { SkipReason } from '../../../src/domain/run-status.ts';
import { chunk, reply, toolReply } from '../../models/fake-upstream.ts';
import { type AgentHouse, access, openAgentHouse } from './agent-house.ts';

const endless = { steps: [{ send: chunk({ content: 'Hal' }) }, { until: 'aborted' }] } as const;

async function firstRunOf(house: AgentHouse, agentId: string) {
  const [run] = await house.runsOf(agentId);
  if (run === undefined) throw new Error('there is no run');
  return run;
}

describe('a run', () => {
  test('is the saved prompt under the payload block, and is recorded with its output and usage', async () => {
    const house = await openAgentHouse();
    const agent = await house.agent({ mode: 'technical' });
    house.start();
    await house.send(agent, '{"order": 7}');
    const run = await house.until((await firstRunOf(house, agent.id)).id);
    expect(run).toMatchObject({
      status: 'succeeded',
      triggerType: 'webhook',
      attempt: 1,
      output: 'Done.',
      error: null,
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
      payload: null,
      payloadBytes: 12,
      payloadTruncated: false,
      activeAgentId: null,
    });
    const [system, user, ...others] = house.server.requests[0]?.body.messages ?? [];
    expect(system.role).toBe('system');
    expect(system.content.startsWith('Webhook payload\n')).toBe(true);
    expect(system.content).toContain('\n{"order": 7}\n');
    expect(user).toEqual({ role: 'user', content: 'Write the report.' });
    expect(others).toEqual([]);
  });

  test('by a webhook without a body, and by hand, runs without a payload block', async () => {
    const house = await openAgentHouse();
    const agent = await house.agent();
    house.start();
    await house.send(agent);
    await house.until((await firstRunOf(house, agent.id)).id);
    const manual = await house.runs.run(agent.id, access);
    await house.until(manual.id);
    for (const { body } of house.server.requests) {
      expect(body.messages[0].content).not.toContain('Webhook payload');
    }
    expect(house.server.requests).toHaveLength(2);
  });

  test('is counted on the organization’s pool and on the owner’s limit', async () => {
    const house = await openAgentHouse({
      owner: { usageLimit: { unit: 'requests', limit: 1, window: 'month' } },
      organization: { tokenPool: 1_000_000 },
    });
    const agent = await house.agent();
    house.start();
    const first = await house.until((await house.runs.run(agent.id, access)).id);
    expect(first.status).toBe('succeeded');
    const second = await house.until((await house.runs.run(agent.id, access)).id);
    expect(second).toMatchObject({ status: 'failed', error: 'At most 1 requests a month.', attempt: 1 });
    const start = new Date(house.clock.now());
    const cycleStartMs = Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), 1);
    const account = { organizationId: 'organization-1', apiKeyId: `agent:${agent.id}`, cycleStartMs };
    const { key, pool } = await house.store.ledger.read({ ...account, nowMs: house.clock.now() });
    expect([key.used, pool.used]).toEqual([15, 15]);
  });

  test('is skipped, and says so, when the agent is at work', async () => {
    const house = await openAgentHouse({ answer: () => endless });
    const agent = await house.agent();
    house.start();
    const running = await house.runs.run(agent.id, access);
    await house.server.received(0);
    expect(await house.runs.run(agent.id, access)).toMatchObject({
      status: 'skipped',
      skipReason: 'already_running',
    });
    await house.send(agent, 'x');
    await house.runs.cancel(agent.id, running.id, access);
    await house.until(running.id);
    const listed = await house.runs.list(agent.id, {}, access);
    expect(listed.data.map(({ status }) => status)).toEqual(['cancelled']);
    const all = await house.runs.list(agent.id, { includeSkipped: true }, access);
    expect(all.data.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'cancelled']);
    expect(house.server.requests).toHaveLength(1);
  });
});

describe('what stops a run', () => {
  test('cancelling a queued one ends it at once', async () => {
    const house = await openAgentHouse();
    const agent = await house.agent();
    const run = await house.runs.run(agent.id, access);
    expect(await house.runs.cancel(agent.id, run.id, access)).toMatchObject({ status: 'cancelled' });
    house.start();
    await house.until((await house.runs.run(agent.id, access)).id);
    expect(house.server.requests).toHaveLength(1);
  });

  test('cancelling a running one aborts the model and keeps what was said', async () => {
    const house = await openAgentHouse({ answer: () => endless });
    const agent = await house.agent();
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    const request = await house.server.received(0);
    await house.until(id, (run) => run.progress?.content === 'Hal');
    await house.runs.cancel(agent.id, id, access);
    expect(await house.until(id)).toMatchObject({ status: 'cancelled', output: 'Hal', error: null });
    expect(await request.left).toBe(true);
  });

  test('its time limit', async () => {
    const house = await openAgentHouse({ answer: () => endless });
    const agent = await house.agent({ timeLimitSeconds: 1 });
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    expect(await house.until(id)).toMatchObject({
      status: 'timed_out',
      output: 'Hal',
      error: 'The run took longer than its time limit of 1 s.',
    });
  });

  test('deleting its agent', async () => {
    const house = await openAgentHouse({ answer: () => endless });
    const agent = await house.agent();
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    await house.server.received(0);
    await house.agents.delete(agent.id, access);
    expect(await house.until(id)).toMatchObject({ status: 'cancelled' });
    await expect(house.runs.get(agent.id, id, access)).rejects.toMatchObject({ slug: 'not_found' });
    expect(await house.runs.get(agent.id, id, { ownerId: null, by: 'cli' })).toMatchObject({ id });
  });
});

describe('what changed between queue and start', () => {
  test.for<[SkipReason, (house: AgentHouse, id: string) => Promise<unknown>]>([
    ['agent_paused', (house, id) => house.agents.pause(id, access)],
    ['agent_expired', (house, id) => house.agents.expire(id, access)],
    [
      'organization_suspended',
      (house) => house.store.organizations.update('organization-1', { suspended: true }),
    ],
    ['owner_inactive', (house) => house.store.users.update('user-1', { active: false })],
  ])('%s: the run is skipped with its reason', async ([reason, change]) => {
    const house = await openAgentHouse();
    const agent = await house.agent();
    await house.send(agent, 'x');
    await change(house, agent.id);
    house.start();
    const run = await house.until((await firstRunOf(house, agent.id)).id);
    expect(run).toMatchObject({ status: 'skipped', skipReason: reason, attempt: 0 });
    expect(house.server.requests).toHaveLength(0);
  });

  test('a paused agent still runs by hand', async () => {
    const house = await openAgentHouse();
    const agent = await house.agent();
    await house.agents.pause(agent.id, access);
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    expect(await house.until(id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('a failing model server', () => {
  test('is tried again after a pause, and the run succeeds', async () => {
    const house = await openAgentHouse({
      answer: (_, number) => (number === 0 ? { steps: ['die'] } : reply(['Now.'])),
      upstream: { retries: 0 },
    });
    const agent = await house.agent();
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    const waiting = await house.until(id, (run) => run.status === 'queued' && run.attempt === 1);
    expect(waiting.error).toContain('The model server failed');
    expect(waiting.dueAtMs).toBeGreaterThan(house.clock.now());
    house.pass(10_000);
    expect(await house.until(id)).toMatchObject({
      status: 'succeeded',
      attempt: 2,
      output: 'Now.',
      error: null,
    });
  });

  test('that refuses the request is not tried again', async () => {
    const house = await openAgentHouse({ answer: () => ({ status: 400, steps: [] }) });
    const agent = await house.agent();
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    expect(await house.until(id)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: 'The model server failed (rejected).',
    });
    expect(house.server.requests).toHaveLength(1);
  });

  test('is given up after as many attempts as there may be', async () => {
    const house = await openAgentHouse({
      answer: () => ({ steps: ['die'] }),
      upstream: { retries: 0 },
    });
    const agent = await house.agent({ timeLimitSeconds: 3_600 });
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    for (let attempt = 1; attempt < limits.agent.attempts; attempt += 1) {
      await house.until(id, (run) => run.status === 'queued' && run.attempt === attempt);
      house.pass(200_000);
    }
    expect(await house.until(id)).toMatchObject({ status: 'failed', attempt: limits.agent.attempts });
    expect(house.server.requests).toHaveLength(limits.agent.attempts);
  });
});

test('tools are those of the agent’s scopes; a webhook’s run gets them to read only', async () => {
  const asked: unknown[] = [];
  const house = await openAgentHouse({
    toolProvider: {
      async toolsFor({ principal, sqlPermission }) {
        asked.push([principal.apiKey.scopes, sqlPermission]);
        return [];
      },
    },
  });
  const toolScopes = ['sql.write', 'wiki.read', 'tracker.write'];
  const agent = await house.agent({ toolScopes });
  house.start();
  await house.send(agent, 'x');
  await house.until((await firstRunOf(house, agent.id)).id);
  await house.until((await house.runs.run(agent.id, access)).id);
  await house.agents.update(agent.id, { webhookWrites: true }, access);
  await house.send(agent, 'y');
  await house.until((await firstRunOf(house, agent.id)).id);
  expect(asked).toEqual([
    [['sql.read', 'wiki.read', 'tracker.read'], 'read'],
    [toolScopes, 'auto'],
    [toolScopes, 'auto'],
  ]);
});

test('tool calls are on record', async () => {
  const house = await openAgentHouse({
    answer: (_, number) => (number === 0 ? toolReply([{ name: 'look', args: '{"x":1}' }]) : reply(['Seen.'])),
    tools: [
      {
        name: 'look',
        description: 'Looks',
        parameters: { type: 'object', properties: { x: { type: 'number' } } },
        run: async () => 'seen',
      },
    ],
  });
  const agent = await house.agent();
  house.start();
  const { id } = await house.runs.run(agent.id, access);
  expect(await house.until(id)).toMatchObject({
    output: 'Seen.',
    toolCalls: [{ name: 'look', args: { x: 1 } }],
  });
});
