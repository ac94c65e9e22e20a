import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { reply, type Script, toolReply } from '../../models/fake-upstream.ts';
import { childTools } from '../chat/child-call.ts';
import { type AgentHouse, access, closeAfterTest, openAgentHouse } from './agent-house.ts';

const child = fileURLToPath(new URL('./worker-child.ts', import.meta.url));

/** Starts a worker in a process of its own. */
function startWorker(house: AgentHouse, point: string) {
  const args = [child, house.location, house.server.baseUrl, point];
  const spawned = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(spawned, 'close');
  closeAfterTest(async () => {
    spawned.kill('SIGKILL');
    await ended;
  });
  return { spawned, ended };
}

/** When every lease of a dead process has ended. */
const leasesMs = 61_000;

const usesTool = (_: unknown, number: number): Script =>
  number === 0 ? toolReply([{ name: 'post', args: '{}' }]) : reply(['Posted.']);

describe('a worker killed in the midst of a run', () => {
  test.for<readonly [string, string, number]>([
    ['before the run starts', 'jobs.claim', 1],
    ['when it has just started', 'runs.replace', 1],
    ['before the model is called', 'turns.begin', 1],
    ['after the answer, before it is kept', 'ledger.reserve', 1],
    ['after the turn, before the run is ended', 'turns.commit', 1],
    ['after the run was ended, before its job was', 'runs.replace#2', 1],
  ])('%s (%s): another ends it well, and the model is asked once', async ([, point, requests]) => {
    const house = await openAgentHouse({ answer: () => reply(['Done.']) });
    const agent = await house.agent();
    const { id } = await house.runs.run(agent.id, access);
    await startWorker(house, point).ended;
    house.pass(leasesMs);
    house.start();
    expect(await house.until(id)).toMatchObject({ status: 'succeeded', output: 'Done.' });
    expect(house.server.requests).toHaveLength(requests);
    const next = await house.until((await house.runs.run(agent.id, access)).id);
    expect(next).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  test('after the turn: another ends it as it was begun, whatever its agent is to do by now', async () => {
    const house = await openAgentHouse({ answer: () => reply(['Done.']) });
    const agent = await house.agent({ toolScopes: ['sql.write'] });
    const { id } = await house.runs.run(agent.id, access);
    await startWorker(house, 'turns.commit').ended;
    await house.agents.update(agent.id, { prompt: 'Another.', model: 'small', toolScopes: [] }, access);
    house.pass(leasesMs);
    house.start();
    expect(await house.until(id)).toMatchObject({ status: 'succeeded', output: 'Done.' });
    expect(house.server.requests).toHaveLength(1);
    await house.until((await house.runs.run(agent.id, access)).id);
    expect(house.server.requests[1]?.body.messages[1].content).toBe('Another.');
  });

  test('while the model answers: another asks again when the leases have ended, and not before', async () => {
    const house = await openAgentHouse({
      answer: (_, number) => (number === 0 ? { steps: [{ until: 'aborted' }] } : reply(['Done.'])),
    });
    const agent = await house.agent();
    const { id } = await house.runs.run(agent.id, access);
    const worker = startWorker(house, 'none');
    await house.server.received(0);
    house.start();
    worker.spawned.kill('SIGKILL');
    await worker.ended;
    expect(await house.runs.run(agent.id, access)).toMatchObject({ skipReason: 'already_running' });
    house.pass(19_000);
    expect(await house.runs.get(agent.id, id, access)).toMatchObject({ status: 'running', fence: 1 });
    expect(house.server.requests).toHaveLength(1);
    house.pass(leasesMs);
    expect(await house.until(id)).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect(house.server.mostInFlight).toBe(1);
  });

  test.for<readonly [string, number]>([
    ['tool', 1],
    ['turns.journal#2', 1],
    ['ledger.reserve#2', 1],
    ['turns.commit', 1],
  ])(
    'around a writing tool (%s): another goes on, and the tool runs once in all',
    async ([point, writes]) => {
      const written: string[] = [];
      const tools = childTools((text) => written.push(text));
      const house = await openAgentHouse({ answer: usesTool, tools });
      const agent = await house.agent();
      const { id } = await house.runs.run(agent.id, access);
      await startWorker(house, point).ended;
      house.pass(leasesMs);
      house.start();
      expect(await house.until(id)).toMatchObject({ status: 'succeeded', output: 'Posted.' });
      const file = `${house.location}.writes`;
      const before = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      expect(before.length + written.length).toBe(writes);
    },
  );

  test('again and again: the run ends as failed, and its agent goes on', async () => {
    const house = await openAgentHouse({ startMs: Date.now() });
    const agent = await house.agent();
    const { id } = await house.runs.run(agent.id, access);
    for (let start = 1; start <= 5; start += 1) {
      const run = await house.store.runs.get(id);
      if (run === undefined) throw new Error('no run');
      const lost = {
        ...run,
        status: 'running',
        attempt: start,
        fence: start,
        revision: run.revision + 1,
      } as const;
      await house.store.runs.replace({ ...lost, dueAtMs: house.clock.now() - 1 });
    }
    house.start();
    expect(await house.until(id)).toMatchObject({
      status: 'failed',
      error: 'The run was interrupted 5 times.',
    });
    expect(await house.until((await house.runs.run(agent.id, access)).id)).toMatchObject({
      status: 'succeeded',
    });
  });
});

describe('a worker whose lease is over', () => {
  test('stops, and what it had is not recorded; the run is another’s', async () => {
    const house = await openAgentHouse({
      answer: (_, number) => (number === 0 ? { steps: [{ until: 'aborted' }] } : reply(['Second.'])),
    });
    const agent = await house.agent();
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    const request = await house.server.received(0);
    house.pass(21_000);
    expect(await request.left).toBe(true);
    const other = await house.second();
    other.start();
    expect(await house.until(id)).toMatchObject({ status: 'succeeded', attempt: 2, output: 'Second.' });
    expect(house.server.mostInFlight).toBe(1);
  });
});

describe('a worker that does not reach the store', () => {
  test('stops when its lease is over, since another may have the run by then', async () => {
    let isDown = false;
    const house = await openAgentHouse({
      answer: () => ({ steps: [{ until: 'aborted' }] }),
      wrapStore: (store) => {
        const down = () => Promise.reject(new Error('down'));
        const { runs, jobs } = store;
        return {
          ...store,
          runs: { ...runs, get: (id) => (isDown ? down() : runs.get(id)) },
          jobs: { ...jobs, claim: (claim) => (isDown ? down() : jobs.claim(claim)) },
        };
      },
    });
    const agent = await house.agent();
    house.start();
    await house.runs.run(agent.id, access);
    const request = await house.server.received(0);
    isDown = true;
    house.pass(21_000);
    expect(await request.left).toBe(true);
    isDown = false;
  });
});

describe('a worker that stops', () => {
  test('lets its run end within the deadline and takes no other', async () => {
    const gate = Promise.withResolvers<void>();
    const house = await openAgentHouse({
      answer: () => ({ steps: [{ until: gate.promise }, ...reply(['Done.']).steps] }),
    });
    const [one, two] = [await house.agent(), await house.agent()];
    house.start();
    const first = await house.runs.run(one.id, access);
    await house.server.received(0);
    const closing = house.built.close(60_000);
    const second = await house.runs.run(two.id, access);
    gate.resolve();
    await closing;
    expect(await house.store.runs.get(first.id)).toMatchObject({ status: 'succeeded' });
    expect(await house.store.runs.get(second.id)).toMatchObject({ status: 'queued', attempt: 0 });
  });

  test('gives back at the deadline what has not ended, for another to start at once', async () => {
    const house = await openAgentHouse({
      answer: (_, number) => (number === 0 ? { steps: [{ until: 'aborted' }] } : reply(['Done.'])),
    });
    const agent = await house.agent();
    house.start();
    const { id } = await house.runs.run(agent.id, access);
    await house.server.received(0);
    await house.built.close(10);
    expect(await house.store.runs.get(id)).toMatchObject({ status: 'queued', attempt: 0, error: null });
    const other = await house.second();
    other.start();
    expect(await house.until(id)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });
});

describe('a queue that loses jobs', () => {
  test('a run whose job could not be added is accepted, and gets one from the sweep', async () => {
    const house = await openAgentHouse({
      wrapQueue: (queue) => {
        let adds = 0;
        return {
          ...queue,
          add(id, notBeforeMs) {
            adds += 1;
            return adds === 1 ? Promise.reject(new Error('down')) : queue.add(id, notBeforeMs);
          },
        };
      },
    });
    const agent = await house.agent();
    await house.send(agent, 'x');
    const [run] = await house.runsOf(agent.id);
    house.start();
    house.pass(10_001);
    expect(await house.until(run?.id ?? '')).toMatchObject({ status: 'succeeded' });
    expect(house.reports[0]).toEqual([expect.stringContaining('waits for the sweep'), expect.any(Error)]);
  });

  test('a running run whose job is gone is gone on with when its lease has ended', async () => {
    const house = await openAgentHouse();
    const agent = await house.agent();
    const { id } = await house.runs.run(agent.id, access);
    await startWorker(house, 'runs.replace').ended;
    await house.store.jobs.claim({
      nowMs: house.clock.now() + 60_000,
      leaseEndsAtMs: house.clock.now(),
      token: 'gone',
      limit: 9,
    });
    expect(await house.store.jobs.remove(id, 'gone')).toBe(true);
    house.start();
    house.pass(leasesMs);
    expect(await house.until(id)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });
});
