import { describe, expect, test } from 'vitest';
import { endRun, type Run, startRun } from '../../src/domain/run.ts';
import { StoreConflict } from '../../src/ports/store.ts';
import { aRun } from './agent-records.ts';
import { type StorePlace, withStores } from './store-contract.ts';

const task = { prompt: 'Go.', model: null, mode: 'auto', scopes: [] } as const;
const all = { limit: 100, statuses: [], triggerTypes: [] };

function ended(run: Run): Run {
  return endRun(run, { status: 'cancelled', nowMs: 5, deliveries: [] });
}

/** Holds stores of runs, used signatures and jobs to the invariants of their ports. */
export function describeRunStoreContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name}: runs`, () => {
    withStores(createPlace, ({ open }) => {
      test('a run is read as it was stored, nothing lost', async () => {
        const run = aRun({
          payload: { text: '{"a":"\u0000 é 🙂"}', truncated: true },
          toolCalls: [{ name: 'run_sql', args: { sql: 'select 1', deep: [{ x: null }] } }],
          deliveries: [
            {
              target: { kind: 'email', address: 'a@example.com', statuses: [] },
              state: 'pending',
              attempts: 1,
              dueAtMs: 7,
            },
          ],
        });
        await (await open()).runs.create(run);
        expect(await (await open()).runs.get(run.id)).toEqual(run);
        expect(await (await open()).runs.findActive('agent-1')).toEqual(run);
      });

      test('of many runs of one agent created at once, through several stores, one is active', async () => {
        const stores = await Promise.all([open(), open(), open()]);
        const tries = stores.flatMap(({ runs }, index) =>
          [0, 1, 2, 3].map((step) =>
            runs.create(aRun({ id: `run-${index}-${step}`, queuedAtMs: 10 * index + step })),
          ),
        );
        const settled = await Promise.allSettled(tries);
        expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const outcome of settled) {
          if (outcome.status === 'rejected')
            expect(outcome.reason).toEqual(new StoreConflict('activeAgentId'));
        }
        expect(await stores[0].runs.list('agent-1', all)).toHaveLength(1);
      });

      test('the agent is free again in the step that ends its run', async () => {
        const { runs } = await open();
        const run = aRun();
        await runs.create(run);
        await runs.create(aRun({ id: 'run-other', agentId: 'agent-2', activeAgentId: 'agent-2' }));
        expect(await runs.replace(ended(run))).toBe(true);
        expect(await runs.findActive('agent-1')).toBeUndefined();
        await runs.create(aRun({ id: 'run-2', queuedAtMs: 1 }));
        // Runs that are over stand in nobody's way.
        await runs.create({ ...ended(aRun({ id: 'run-3', queuedAtMs: 2 })), revision: 1 });
      });

      test('of many replacements over one revision, through several stores, one succeeds', async () => {
        const stores = await Promise.all([open(), open(), open()]);
        const run = aRun();
        await stores[0].runs.create(run);
        const tries = stores.flatMap(({ runs }, index) =>
          [1, 2, 3].map((step) => {
            const leaseEndsAtMs = run.queuedAtMs + index * 10 + step;
            const started = startRun(run, { nowMs: run.queuedAtMs, leaseEndsAtMs, timeLimitMs: 1, task });
            return runs.replace(started as Run);
          }),
        );
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
        expect(await stores[1].runs.get(run.id)).toMatchObject({ fence: 1, attempt: 1, revision: 2 });
        expect(await stores[1].runs.replace(aRun({ id: 'nobody', revision: 2 }))).toBe(false);
      });

      test('an id is given once, and two runs of one agent never have the same time', async () => {
        const { runs } = await open();
        await runs.create({ ...ended(aRun()), revision: 1 });
        await expect(runs.create(aRun({ queuedAtMs: 9 }))).rejects.toEqual(new StoreConflict('id'));
        await expect(runs.create(aRun({ id: 'run-2' }))).rejects.toEqual(new StoreConflict('queuedAtMs'));
      });

      test('lists are the newest first, before a time, and by state and trigger', async () => {
        const { runs } = await open();
        const kinds = ['manual', 'schedule', 'webhook'] as const;
        for (const n of [1, 2, 3, 4, 5, 6]) {
          const run = aRun({ id: `run-${n}`, queuedAtMs: n, triggerType: kinds[n % 3] ?? 'manual' });
          const isLast = n === 6;
          await runs.create(isLast ? run : { ...ended(run), revision: 1 });
        }
        const ids = async (page: Partial<typeof all & { beforeMs: number }> & object) =>
          (await runs.list('agent-1', { ...all, ...page })).map(({ queuedAtMs }) => queuedAtMs);
        expect(await ids({})).toEqual([6, 5, 4, 3, 2, 1]);
        expect(await ids({ limit: 2, beforeMs: 5 })).toEqual([4, 3]);
        expect(await ids({ statuses: ['queued'] as never })).toEqual([6]);
        expect(await ids({ statuses: ['cancelled', 'failed'] as never, limit: 2 })).toEqual([5, 4]);
        expect(await ids({ triggerTypes: ['schedule'] as never })).toEqual([4, 1]);
        expect(await runs.list('agent-2', all)).toEqual([]);
      });

      test('overdue runs are found, the longest due first; one that nothing is to be done with is not', async () => {
        const { runs } = await open();
        for (const [index, dueAtMs] of [30, null, 10, 20].entries()) {
          const id = `run-${index}`;
          await runs.create(aRun({ id, agentId: id, activeAgentId: id, dueAtMs }));
        }
        expect(await runs.listDue(10, 10)).toEqual([]);
        expect(await runs.listDue(21, 10)).toEqual(['run-2', 'run-3']);
        expect(await runs.listDue(100, 1)).toEqual(['run-2']);
      });
    });
  });

  describe(`${name}: used signatures`, () => {
    withStores(createPlace, ({ open }) => {
      const claim = { key: 'mac', nowMs: 1_000, lastMs: 601_000 };

      test('of many who claim a key at once, through several stores, one gets it; the others learn its value', async () => {
        const stores = await Promise.all([open(), open(), open()]);
        const claims = stores.flatMap(({ replayMemory }, index) =>
          [0, 1, 2, 3].map((step) => replayMemory.claim({ ...claim, value: `${index}.${step}` })),
        );
        const held = await Promise.all(claims);
        expect(held.filter((value) => value === undefined)).toHaveLength(1);
        expect(new Set(held.filter((value) => value !== undefined)).size).toBe(1);
      });

      test('a claim survives a restart, and holds through its last millisecond', async () => {
        const first = await open();
        expect(await first.replayMemory.claim({ ...claim, value: 'a' })).toBeUndefined();
        await first.close();
        const { replayMemory } = await open();
        const again = (nowMs: number) =>
          replayMemory.claim({ key: 'mac', value: 'b', nowMs, lastMs: nowMs + 600_000 });
        expect(await again(601_000)).toBe('a');
        expect(await again(601_001)).toBeUndefined();
        expect(await again(601_002)).toBe('b');
      });

      test('only what is over is forgotten', async () => {
        const { replayMemory } = await open();
        await replayMemory.claim({ ...claim, value: 'a' });
        await replayMemory.forgetExpired(601_000);
        expect(await replayMemory.claim({ ...claim, value: 'b', nowMs: 601_000 })).toBe('a');
        await replayMemory.forgetExpired(601_001);
        expect(await replayMemory.claim({ ...claim, value: 'b' })).toBeUndefined();
      });
    });
  });

  describe(`${name}: jobs`, () => {
    withStores(createPlace, ({ open }) => {
      const lease = { nowMs: 100, leaseEndsAtMs: 200, limit: 10 };

      test('of many who claim at once, through several stores, each job goes to one', async () => {
        const stores = await Promise.all([open(), open(), open()]);
        const ids = Array.from({ length: 30 }, (_, index) => `job-${index}`);
        await Promise.all(ids.map((id) => stores[0].jobs.add(id, 50)));
        const claims = stores.flatMap(({ jobs }, index) =>
          [0, 1, 2, 3].map((step) => jobs.claim({ ...lease, token: `${index}.${step}`, limit: 4 })),
        );
        const claimed = (await Promise.all(claims)).flat();
        expect(claimed.toSorted()).toEqual(ids.toSorted());
      });

      test('a job waits for its time, and adding it again can only make that earlier', async () => {
        const { jobs } = await open();
        await jobs.add('job', 150);
        await jobs.add('job', 170);
        expect(await jobs.claim({ ...lease, token: 't' })).toEqual([]);
        await jobs.add('job', 100);
        expect(await jobs.claim({ ...lease, token: 't' })).toEqual(['job']);
      });

      test('a leased job is nobody else’s until its lease ends, also when it is added again', async () => {
        const { jobs } = await open();
        await jobs.add('job', 0);
        expect(await jobs.claim({ ...lease, token: 'first' })).toEqual(['job']);
        await jobs.add('job', 0);
        expect(await jobs.claim({ ...lease, token: 'second', nowMs: 199 })).toEqual([]);
        expect(await jobs.renew('job', 'first', 300)).toBe(true);
        expect(await jobs.claim({ ...lease, token: 'second', nowMs: 299 })).toEqual([]);
        expect(await jobs.claim({ ...lease, token: 'second', nowMs: 300, leaseEndsAtMs: 400 })).toEqual([
          'job',
        ]);
        expect(await jobs.renew('job', 'first', 900)).toBe(false);
        expect(await jobs.release('job', 'first', 0)).toBe(false);
        expect(await jobs.remove('job', 'first')).toBe(false);
        expect(await jobs.claim({ ...lease, token: 'third', nowMs: 399 })).toEqual([]);
      });

      test('a released job waits again, a removed one is gone', async () => {
        const { jobs } = await open();
        await jobs.add('job', 0);
        await jobs.claim({ ...lease, token: 'first' });
        expect(await jobs.release('job', 'first', 500)).toBe(true);
        expect(await jobs.renew('job', 'first', 900)).toBe(false);
        expect(await jobs.claim({ ...lease, token: 'second', nowMs: 499 })).toEqual([]);
        expect(await jobs.claim({ ...lease, token: 'second', nowMs: 500, leaseEndsAtMs: 600 })).toEqual([
          'job',
        ]);
        expect(await jobs.remove('job', 'second')).toBe(true);
        expect(await jobs.claim({ ...lease, token: 'third', nowMs: 10_000 })).toEqual([]);
      });

      test('the waiting and the leased are counted', async () => {
        const { jobs } = await open();
        expect(await jobs.count()).toEqual({ waiting: 0, active: 0 });
        for (const id of ['a', 'b', 'c']) await jobs.add(id, id === 'c' ? 9_000 : 1_000);
        await jobs.claim({ nowMs: 1_000, leaseEndsAtMs: 2_000, token: 't', limit: 1 });
        expect(await jobs.count()).toEqual({ waiting: 2, active: 1 });
      });

      test('the longest due go first', async () => {
        const { jobs } = await open();
        for (const [id, dueMs] of [
          ['c', 30],
          ['a', 10],
          ['b', 20],
        ] as const)
          await jobs.add(id, dueMs);
        expect(await jobs.claim({ ...lease, token: 't', limit: 1 })).toEqual(['a']);
        expect(await jobs.claim({ ...lease, token: 't', limit: 1 })).toEqual(['b']);
      });
    });
  });
}
