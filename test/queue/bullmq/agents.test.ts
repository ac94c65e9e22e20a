import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { isFinal } from '../../../src/domain/run.ts';
import { type ReceivedRequest, reply, type Script, toolReply } from '../../models/fake-upstream.ts';
import { describeWithRedis } from '../../redis-server.ts';
import { childTools } from '../../services/chat/child-call.ts';
import { type AgentHouse, access, closeAfterTest, openAgentHouse } from '../../services/run/agent-house.ts';
import type { RuntimeBuild } from '../../services/run/build-runtime.ts';
import { shortenLeases } from '../../services/run/short-leases.ts';
import { openBullmqQueue } from './opener.ts';

const child = fileURLToPath(new URL('../../services/run/worker-child.ts', import.meta.url));

/** Answers slowly, and counts how often each agent is at work at once. */
function watchAgents() {
  const atWork = new Map<string, number>();
  let most = 0;
  return {
    most: () => most,
    answer(request: ReceivedRequest): Script {
      const name = /as the agent "([^"]+)"/.exec(request.body.messages[0].content)?.[1] ?? '';
      const count = (atWork.get(name) ?? 0) + 1;
      atWork.set(name, count);
      most = Math.max(most, count);
      void request.left.then(() => atWork.set(name, (atWork.get(name) ?? 1) - 1));
      const delay = new Promise<void>((resolve) => setTimeout(resolve, 30));
      return { steps: [{ until: delay }, ...reply(['Done.']).steps] };
    },
  };
}

describeWithRedis('agents on BullMQ', (server) => {
  beforeEach(async () => {
    shortenLeases();
    const redis = new Redis(server().url);
    await redis.flushall();
    await redis.quit();
  });

  async function onRedis(): Promise<RuntimeBuild> {
    const opened = await openBullmqQueue(server().url, limits.agent.runLeaseMs);
    closeAfterTest(opened.close);
    return { wrapQueue: () => opened.queue, leaseRenewalMs: 50 };
  }

  function startWorker(house: AgentHouse, point: string): ChildProcess {
    const args = [child, house.location, house.server.baseUrl, point, 'fast', server().url];
    return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  async function kill(worker: ChildProcess): Promise<void> {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, 'close');
    worker.kill('SIGKILL');
    await ended;
  }

  async function expectAllRecorded(house: AgentHouse, agentIds: readonly string[], triggers: number) {
    const runs = (await Promise.all(agentIds.map((id) => house.runsOf(id)))).flat();
    expect(runs).toHaveLength(triggers);
    const ended = await Promise.all(runs.map(({ id }) => house.until(id, isFinal)));
    const counts = Object.groupBy(ended, ({ status }) => status);
    expect(Object.keys(counts).filter((status) => status !== 'skipped')).toEqual(['succeeded']);
    for (const run of counts.skipped ?? []) expect(run.skipReason).toBe('already_running');
    for (const id of agentIds) expect(await house.store.runs.findActive(id)).toBeUndefined();
  }

  describe('a worker killed in the midst of a run', () => {
    test.for<readonly [string, string]>([
      ['before the run starts', 'runs.get'],
      ['when it has just started', 'runs.replace'],
      ['before the model is called', 'turns.begin'],
      ['in the midst of a writing tool', 'tool'],
      ['after the turn, before the run is ended', 'turns.commit'],
      ['after the run was ended, before its job was', 'runs.replace#2'],
    ])('%s (%s): another ends it, and the tool runs once in all', { timeout: 30_000 }, async ([, point]) => {
      const written: string[] = [];
      const house = await openAgentHouse({
        ...(await onRedis()),
        answer: (request) =>
          request.body.messages.some(({ role }: { role: string }) => role === 'tool')
            ? reply(['Posted.'])
            : toolReply([{ name: 'post', args: '{}' }]),
        tools: childTools((text) => written.push(text)),
      });
      const agent = await house.agent();
      const { id } = await house.runs.run(agent.id, access);
      const worker = startWorker(house, point);
      closeAfterTest(() => kill(worker));
      await once(worker, 'close');
      house.start();
      expect(await house.until(id)).toMatchObject({ status: 'succeeded', output: 'Posted.' });
      const file = `${house.location}.writes`;
      const before = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      expect([...before, ...written]).toHaveLength(1);
      expect(house.server.mostInFlight).toBe(1);
    });
  });

  test('100 triggers over 10 agents, while workers are killed in turn, all end in a record, none at work twice', async () => {
    const watched = watchAgents();
    const house = await openAgentHouse({ ...(await onRedis()), answer: watched.answer });
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, index) => house.agent({ name: `agent ${index}` })),
    );
    const workers = [startWorker(house, 'none'), startWorker(house, 'none')];
    closeAfterTest(() => Promise.all(workers.map(kill)));
    for (let round = 0; round < 10; round += 1) {
      const before = house.server.requests.length;
      await Promise.all(agents.map((agent) => house.send(agent, `{"round": ${round}}`)));
      if (round % 2 === 1) continue;
      await house.server.received(before);
      const oldest = workers.shift();
      if (oldest !== undefined) await kill(oldest);
      workers.push(startWorker(house, 'none'));
    }
    await expectAllRecorded(
      house,
      agents.map(({ id }) => id),
      100,
    );
    expect(watched.most()).toBe(1);
  }, 120_000);

  test('a Redis that dies and comes back empty, under load, loses no accepted trigger', async () => {
    const watched = watchAgents();
    const house = await openAgentHouse({ ...(await onRedis()), answer: watched.answer });
    const other = await house.second(await onRedis());
    const agents = await Promise.all(
      Array.from({ length: 10 }, (_, index) => house.agent({ name: `agent ${index}` })),
    );
    house.start();
    other.start();
    const sendAll = (round: number) =>
      Promise.all(agents.map((agent) => house.send(agent, `{"round": ${round}}`)));
    for (let round = 0; round < 6; round += 1) {
      await sendAll(3 * round);
      await server().kill();
      await sendAll(3 * round + 1);
      await server().restart();
      await sendAll(3 * round + 2);
    }
    await expectAllRecorded(
      house,
      agents.map(({ id }) => id),
      180,
    );
    expect(watched.most()).toBe(1);
    const redis = new Redis(server().url);
    const jobs = () => redis.keys('test:runs:run-*');
    await expect.poll(jobs, { timeout: 20_000 }).toEqual([]);
    await redis.quit();
  }, 120_000);
});
