import { createHmac } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { describeWithRedis } from '../../redis-server.ts';
import { type RunningService, startService } from '../../service/start-service.ts';
import { call, createPeople, signIn } from '../../wire/session-client.ts';

describeWithRedis('agents of the service with REDIS_URL', (server) => {
  let service: RunningService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  async function startWithAgent() {
    service = await startService({ REDIS_URL: server().url });
    const { store, url } = service;
    await createPeople(store, 'org');
    const { headers } = await signIn(url, 'org-member@example.com');
    const created = await call(url, 'POST', '/api/agents', headers, { name: 'Reporter', prompt: 'Report.' });
    const id = String((created.body?.agent as { readonly id?: string } | undefined)?.id);
    const { body } = await call(url, 'POST', `/api/agents/${id}/webhook`, headers, {});
    const secret = String(body?.secret);
    return {
      store,
      id,
      trigger() {
        const timestamp = String(Date.now());
        const signature = createHmac('sha256', secret).update(`${timestamp}.{}`).digest('hex');
        return call(
          url,
          'POST',
          `/api/agents/${id}/webhook/trigger`,
          { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature },
          {},
        );
      },
      async statuses() {
        const runs = await store.runs.list(id, { limit: 100, statuses: [], triggerTypes: [] });
        return runs.map(({ status }) => status);
      },
    };
  }

  test('a trigger is run; with Redis away it is refused with 503, and runs again when Redis is back', async () => {
    const agent = await startWithAgent();
    expect(await agent.trigger()).toMatchObject({ status: 200, body: { ok: true, queued: true } });
    await expect.poll(agent.statuses, { timeout: 20_000 }).toEqual(['succeeded']);
    await server().kill();
    expect(await agent.trigger()).toMatchObject({ status: 503 });
    await server().restart();
    await expect.poll(async () => (await agent.trigger()).status, { timeout: 10_000 }).toBe(200);
    await expect.poll(agent.statuses, { timeout: 20_000 }).toEqual(['succeeded', 'succeeded']);
  }, 60_000);
});
