import { describe, expect, test } from 'vitest';
import type { Agent } from '../../../src/domain/agent.ts';
import type { Store } from '../../../src/ports/store.ts';
import { runSchedules, scheduledRunId } from '../../../src/services/scheduler/scheduler.ts';
import { openStore } from '../../storage/sqlite/opener.ts';
import { type AgentHouse, access, closeAfterTest, openAgentHouse } from '../run/agent-house.ts';

const at = (text: string) => Date.parse(text);

/** One look of a scheduler at a time; its agents' runs are recorded, not run. */
async function look(house: AgentHouse, nowMs: number, store: Store = house.store): Promise<number> {
  const { queue } = house.built;
  return runSchedules({
    store,
    queue,
    clock: { now: () => nowMs },
    random: { bytes: (length) => new Uint8Array(length) },
    sealer: { seal: (text) => text, open: (text) => text },
    hasMailServer: false,
    models: { list: async () => [], find: () => undefined },
    report: (_message, cause) => {
      throw cause;
    },
  });
}

async function openScheduled(start: string, schedule: string, timezone = 'UTC') {
  const house = await openAgentHouse({ startMs: at(start) });
  const { agent } = await house.agents.create(
    'user-1',
    { name: 'Nightly', prompt: 'Go.', schedule, timezone },
    access,
  );
  /** Looks at every given time, ending each run before the next. */
  const follow = async (...times: readonly string[]) => {
    for (const time of times) {
      await look(house, at(time));
      await endActive(house, agent);
    }
  };
  const runs = async () => (await house.runsOf(agent.id)).toReversed();
  return { house, agent, follow, runs };
}

async function endActive(house: AgentHouse, agent: Agent): Promise<void> {
  const active = await house.store.runs.findActive(agent.id);
  if (active !== undefined) await house.runs.cancel(agent.id, active.id, access);
}

function everyMinute(from: string, to: string): string[] {
  const times: string[] = [];
  for (let ms = at(from); ms <= at(to); ms += 60_000) times.push(new Date(ms).toISOString());
  return times;
}

describe('a schedule', () => {
  test('is followed over the night in which the clock is put forward: one run a day', async () => {
    const { follow, runs } = await openScheduled('2026-03-28T00:00:00Z', '30 2 * * *', 'Europe/Berlin');
    await follow(
      ...everyMinute('2026-03-28T01:00:00Z', '2026-03-28T02:00:00Z'),
      ...everyMinute('2026-03-29T00:00:00Z', '2026-03-29T02:30:00Z'),
      ...everyMinute('2026-03-30T00:00:00Z', '2026-03-30T02:00:00Z'),
    );
    const times = (await runs()).map(({ queuedAtMs }) => new Date(queuedAtMs).toISOString().slice(0, 16));
    expect(times).toEqual(['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']);
  });

  test('is followed over the night in which the clock is put back: one run a day', async () => {
    const { follow, runs } = await openScheduled('2026-10-24T23:00:00Z', '30 2 * * *', 'Europe/Berlin');
    await follow(...everyMinute('2026-10-24T23:50:00Z', '2026-10-25T02:10:00Z'));
    const times = (await runs()).map(({ queuedAtMs }) => new Date(queuedAtMs).toISOString().slice(0, 16));
    expect(times).toEqual(['2026-10-25T00:30']);
  });

  test('of the last day of the month is followed over February', async () => {
    const { follow, runs } = await openScheduled('2026-01-31T12:00:00Z', '0 0 L * *');
    await follow(
      '2026-02-28T00:00:00Z',
      '2026-03-01T00:00:00Z',
      '2026-03-31T00:00:30Z',
      '2026-04-30T00:00:00Z',
    );
    expect(await runs()).toHaveLength(3);
  });

  test('is recorded once however many schedulers look at once, through several stores', async () => {
    const { house, agent } = await openScheduled('2026-06-15T09:59:00Z', '0 * * * *');
    const others = await Promise.all([openStore(house.location), openStore(house.location)]);
    for (const store of others) closeAfterTest(() => store.close());
    const nowMs = at('2026-06-15T10:00:00Z');
    await Promise.all(
      [house.store, ...others].flatMap((store) => [look(house, nowMs, store), look(house, nowMs, store)]),
    );
    const runs = await house.runsOf(agent.id);
    expect(runs.map(({ id }) => id)).toEqual([scheduledRunId(agent.id, nowMs)]);
    expect(await house.agents.get(agent.id, access)).toMatchObject({
      nextRunAtMs: at('2026-06-15T11:00:00Z'),
    });
  });

  test('is neither lost nor doubled when the scheduler dies between the run and the next time', async () => {
    const { house, agent } = await openScheduled('2026-06-15T09:59:00Z', '0 * * * *');
    const nowMs = at('2026-06-15T10:00:00Z');
    const dying: Store = {
      ...house.store,
      agents: { ...house.store.agents, replace: () => Promise.reject(new Error('killed')) },
    };
    await expect(look(house, nowMs, dying)).rejects.toThrow('killed');
    await look(house, nowMs + 5_000);
    expect(await house.runsOf(agent.id)).toHaveLength(1);
    expect(await house.agents.get(agent.id, access)).toMatchObject({
      nextRunAtMs: at('2026-06-15T11:00:00Z'),
    });
  });

  test('that was missed many times is made up for once, and that only when it is not long ago', async () => {
    const hourly = await openScheduled('2026-06-10T09:59:00Z', '0 * * * *');
    await hourly.follow('2026-06-15T10:20:00Z');
    expect(await hourly.runs()).toMatchObject([{ status: 'cancelled', triggerType: 'schedule' }]);
    const daily = await openScheduled('2026-06-10T09:59:00Z', '0 10 * * *');
    await daily.follow('2026-06-15T11:00:00Z', '2026-06-18T11:00:01Z');
    expect(await daily.runs()).toMatchObject([
      { status: 'cancelled' },
      { status: 'skipped', skipReason: 'missed' },
    ]);
  });

  test('finds the agent at work: the run is skipped, and its time is not tried again', async () => {
    const { house, agent, runs } = await openScheduled('2026-06-15T09:59:00Z', '0 * * * *');
    await house.runs.run(agent.id, access);
    await look(house, at('2026-06-15T10:00:00Z'));
    await look(house, at('2026-06-15T10:01:00Z'));
    const skipped = (await runs()).filter(({ triggerType }) => triggerType === 'schedule');
    expect(skipped).toMatchObject([{ status: 'skipped', skipReason: 'already_running' }]);
  });

  test('of a suspended organization is skipped with its reason', async () => {
    const { house, follow, runs } = await openScheduled('2026-06-15T09:59:00Z', '0 * * * *');
    await house.store.organizations.update('organization-1', { suspended: true });
    await follow('2026-06-15T10:00:00Z');
    expect(await runs()).toMatchObject([{ skipReason: 'organization_suspended' }]);
  });

  test.for<readonly [string, (house: AgentHouse, id: string) => Promise<unknown>]>([
    ['paused', (house, id) => house.agents.pause(id, access)],
    ['expired', (house, id) => house.agents.expire(id, access)],
    ['deleted', (house, id) => house.agents.delete(id, access)],
    ['without its schedule', (house, id) => house.agents.update(id, { schedule: null }, access)],
    [
      'expired since the last look',
      (house, id) => house.agents.update(id, { expiresAtMs: at('2026-06-15T09:59:30Z') }, access),
    ],
  ])('of an agent that is %s is not followed', async ([, change]) => {
    const { house, agent, follow, runs } = await openScheduled('2026-06-15T09:59:00Z', '0 * * * *');
    await change(house, agent.id);
    await follow('2026-06-15T10:00:00Z', '2026-06-15T11:00:00Z');
    expect(await runs()).toEqual([]);
    expect((await house.store.agents.get(agent.id))?.nextRunAtMs).toBeNull();
  });

  test('goes on with its next time when the agent is resumed, and changes with it', async () => {
    const { house, agent } = await openScheduled('2026-06-15T09:59:00Z', '0 * * * *');
    await house.agents.pause(agent.id, access);
    house.pass(3_600_000 * 5);
    expect(await house.agents.resume(agent.id, access)).toMatchObject({
      nextRunAtMs: at('2026-06-15T15:00:00Z'),
    });
    const { agent: moved } = await house.agents.update(agent.id, { timezone: 'Asia/Kolkata' }, access);
    expect(moved.nextRunAtMs).toBe(at('2026-06-15T15:30:00Z'));
  });
});
