import { afterEach, expect, test } from 'vitest';
import { openMongoStore } from '../../src/storage/mongo/open-mongo-store.ts';
import { describeWithMongo } from '../mongo-server.ts';
import { describeWithRedis } from '../redis-server.ts';
import { call, createPeople, signIn } from '../wire/session-client.ts';
import { type ServiceProcess, startProcess } from './process.ts';

const key = Buffer.alloc(32, 9).toString('base64');

describeWithRedis('processes of different roles', (redis) => {
  describeWithMongo('on MongoDB and Redis', (mongo) => {
    const closers: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) await close();
    });

    function start(role: string): ServiceProcess {
      const started = startProcess({
        ROLE: role,
        MONGODB_URL: `${mongo().url}/roles`,
        REDIS_URL: redis().url,
        SECRETS_KEY: key,
        PUBLIC_URL: 'http://service.test',
      });
      closers.push(() => started.stop());
      return started;
    }

    test('an API process takes calls and no runs, a worker takes runs and no calls', async () => {
      const api = start('api');
      const { url = '', adminUrl } = await api.listening();
      const store = await openMongoStore({ url: `${mongo().url}/roles` });
      closers.push(() => store.close());
      await createPeople(store, 'org');
      const { headers } = await signIn(url, 'org-member@example.com');
      const created = await call(url, 'POST', '/api/agents', headers, { name: 'A', prompt: 'Report.' });
      const id = String((created.body?.agent as { readonly id?: string } | undefined)?.id);
      expect((await call(url, 'POST', `/api/agents/${id}/run`, headers, {})).status).toBeLessThan(300);
      const jobs = async (from: string) =>
        (await (await fetch(`${from}/metrics`)).text())
          .split('\n')
          .filter((line) => line.startsWith('service_run_jobs{'));
      expect(await jobs(adminUrl)).toContain('service_run_jobs{state="waiting"} 1');

      const worker = start('worker');
      const { url: workerUrl, adminUrl: workerAdminUrl } = await worker.listening();
      expect(workerUrl).toBeUndefined();
      expect((await fetch(`${workerAdminUrl}/readyz`)).status).toBe(200);
      const statuses = async () => {
        const runs = await store.runs.list(id, { limit: 9, statuses: [], triggerTypes: [] });
        return runs.map(({ status }) => status);
      };
      await expect.poll(statuses, { timeout: 30_000 }).toEqual(['succeeded']);
      const ended = 'service_runs_total{status="succeeded",trigger="manual"} 1';
      expect(await (await fetch(`${workerAdminUrl}/metrics`)).text()).toContain(ended);
      expect(await (await fetch(`${adminUrl}/metrics`)).text()).not.toContain(ended);

      for (const each of [api, worker]) each.signal('SIGTERM');
      expect(await Promise.all([api.ended, worker.ended])).toEqual([0, 0]);
    }, 120_000);

    test.runIf(process.env.TEST_MONGODB_URL === undefined)(
      'a process is not ready while MongoDB is away, and ready when it is back',
      async () => {
        const { adminUrl } = await start('all').listening();
        const states = async () => {
          const { checks } = (await (await fetch(`${adminUrl}/readyz`)).json()) as {
            readonly checks: readonly { readonly name: string; readonly state: string }[];
          };
          return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
        };
        expect(await states()).toEqual({ store: 'ok', redis: 'ok' });
        await mongo().program?.kill();
        await expect.poll(states, { timeout: 20_000 }).toEqual({ store: 'failing', redis: 'ok' });
        await mongo().program?.restart();
        await expect.poll(states, { timeout: 30_000 }).toEqual({ store: 'ok', redis: 'ok' });
      },
      120_000,
    );
  });
});
