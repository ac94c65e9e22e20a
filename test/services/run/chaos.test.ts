import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isFinal } from '../../../src/domain/run.ts';
import { reply } from '../../models/fake-upstream.ts';
import { closeAfterTest, openAgentHouse } from './agent-house.ts';
import { shortenLeases } from './short-leases.ts';

const child = fileURLToPath(new URL('./worker-child.ts', import.meta.url));

test('200 triggers over 20 agents, while workers are killed in turn, all end in a record, none at work twice', async () => {
  shortenLeases();
  const atWork = new Map<string, number>();
  let mostPerAgent = 0;
  const house = await openAgentHouse({
    async answer(request) {
      const name = /as the agent "([^"]+)"/.exec(request.body.messages[0].content)?.[1] ?? '';
      const count = (atWork.get(name) ?? 0) + 1;
      atWork.set(name, count);
      mostPerAgent = Math.max(mostPerAgent, count);
      void request.left.then(() => atWork.set(name, (atWork.get(name) ?? 1) - 1));
      const delay = new Promise((resolve) => setTimeout(resolve, 30));
      return { steps: [{ until: delay }, ...reply(['Done.']).steps] };
    },
  });
  const agents = await Promise.all(
    Array.from({ length: 20 }, (_, index) => house.agent({ name: `agent ${index}` })),
  );

  const workers = new Set<ChildProcess>();
  const startWorker = () => {
    const args = [child, house.location, house.server.baseUrl, 'none', 'fast'];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    workers.add(worker);
    return worker;
  };
  const kill = async (worker: ChildProcess) => {
    workers.delete(worker);
    const ended = once(worker, 'close');
    worker.kill('SIGKILL');
    await ended;
  };
  closeAfterTest(() => Promise.all([...workers].map(kill)));

  startWorker();
  startWorker();
  for (let round = 0; round < 10; round += 1) {
    const before = house.server.requests.length;
    await Promise.all(agents.map((agent) => house.send(agent, `{"round": ${round}}`)));
    // Once work goes on, whoever is at it may die.
    if (round % 2 === 0) await house.server.received(before);
    const [oldest] = workers;
    if (oldest !== undefined && round % 2 === 0) {
      await kill(oldest);
      startWorker();
    }
  }
  const runs = (await Promise.all(agents.map(({ id }) => house.runsOf(id)))).flat();
  expect(runs).toHaveLength(200);
  const ended = await Promise.all(runs.map(({ id }) => house.until(id, isFinal)));
  const counts = Object.groupBy(ended, ({ status }) => status);
  expect(Object.keys(counts).toSorted()).toEqual(['skipped', 'succeeded']);
  expect(counts.succeeded?.length).toBeGreaterThanOrEqual(20);
  for (const run of counts.skipped ?? []) expect(run.skipReason).toBe('already_running');
  expect(mostPerAgent).toBe(1);
  for (const { id } of agents) expect(await house.store.runs.findActive(id)).toBeUndefined();
}, 120_000);
