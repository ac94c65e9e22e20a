import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/ports/random.ts';
import type { Store } from '../../src/ports/store.ts';
import { createAesGcmSealer } from '../../src/secrets/aes-gcm-sealer.ts';
import { connectionSettingsContext } from '../../src/services/accounts/connection-settings.ts';
import { notificationSecretContext } from '../../src/services/notification/deliver-notifications.ts';
import { resealSecrets } from '../../src/services/reseal-secrets.ts';
import { webhookSecretContext } from '../../src/services/webhook/webhook-service.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { anAgent } from '../contract/agent-records.ts';
import { aConnection } from '../contract/records.ts';

const earlierKey = new Uint8Array(32).fill(1);
const presentKey = new Uint8Array(32).fill(2);
const lostKey = new Uint8Array(32).fill(3);
const sealerOf = (...keys: [Uint8Array, ...Uint8Array[]]) => createAesGcmSealer(keys, systemRandom);
const earlier = sealerOf(earlierKey);
const present = sealerOf(presentKey);

let store: Store;

beforeEach(() => {
  store = openSqliteStore({ path: ':memory:' });
});

afterEach(() => store.close());

function reseal(overStore: Store = store) {
  const clock = { now: () => 5_000 };
  const sealer = sealerOf(presentKey, earlierKey);
  return resealSecrets({ store: overStore, sealer, clock, random: systemRandom }, 'cli');
}

function connectionOf(id: string, sealer = earlier, text = `settings of ${id}`) {
  return aConnection({ id, sealedSettings: sealer.seal(text, connectionSettingsContext(id)) });
}

function agentOf(id: string, createdAtMs: number, sealer = earlier) {
  return anAgent({
    id,
    createdAtMs,
    sealedWebhookSecret: sealer.seal(`webhook of ${id}`, webhookSecretContext(id)),
    sealedNotificationSecret: sealer.seal(`notification of ${id}`, notificationSecretContext(id)),
  });
}

async function openAgentSecrets(id: string) {
  const agent = await store.agents.get(id);
  return [
    present.open(agent?.sealedWebhookSecret ?? '', webhookSecretContext(id)),
    present.open(agent?.sealedNotificationSecret ?? '', notificationSecretContext(id)),
  ];
}

async function openConnection(id: string) {
  const connection = await store.connections.get(id);
  return present.open(connection?.sealedSettings ?? '', connectionSettingsContext(id));
}

describe('resealing', () => {
  test('leaves nothing that needs the earlier key, however many records there are', async () => {
    const ids = Array.from({ length: 205 }, (_, index) => `record-${String(index).padStart(3, '0')}`);
    for (const id of ids) await store.connections.create(connectionOf(id));
    for (const [index, id] of ids.entries()) await store.agents.create(agentOf(id, index + 1));
    expect(await reseal()).toEqual([
      { kind: 'connections', resealed: 205, current: 0, failed: [] },
      { kind: 'agents', resealed: 205, current: 0, failed: [] },
    ]);
    for (const id of ids) {
      expect(await openConnection(id)).toBe(`settings of ${id}`);
      expect(await openAgentSecrets(id)).toEqual([`webhook of ${id}`, `notification of ${id}`]);
    }
  });

  test('leaves alone what the present key sealed, and what holds no secret, so that it can be repeated', async () => {
    await store.connections.create(connectionOf('a'));
    await store.connections.create(connectionOf('b', present));
    await store.agents.create(agentOf('c', 1, present));
    await store.agents.create(anAgent({ id: 'd', createdAtMs: 2 }));
    const before = [
      await store.connections.get('b'),
      await store.agents.get('c'),
      await store.agents.get('d'),
    ];
    await reseal();
    expect(await reseal()).toEqual([
      { kind: 'connections', resealed: 0, current: 2, failed: [] },
      { kind: 'agents', resealed: 0, current: 1, failed: [] },
    ]);
    const after = [
      await store.connections.get('b'),
      await store.agents.get('c'),
      await store.agents.get('d'),
    ];
    expect(after).toEqual(before);
  });

  test('names what no key opens, leaves it as it is and goes on', async () => {
    const lost = connectionOf('a', sealerOf(lostKey));
    const misplaced = { ...connectionOf('b'), sealedSettings: connectionOf('other').sealedSettings };
    await store.connections.create(lost);
    await store.connections.create(misplaced);
    await store.connections.create(connectionOf('c'));
    const half = {
      ...agentOf('d', 1),
      sealedWebhookSecret: agentOf('d', 1, sealerOf(lostKey)).sealedWebhookSecret,
    };
    await store.agents.create(half);
    expect(await reseal()).toEqual([
      {
        kind: 'connections',
        resealed: 1,
        current: 0,
        failed: ['connection/a/settings', 'connection/b/settings'],
      },
      { kind: 'agents', resealed: 1, current: 0, failed: ['agent/d/webhook-secret'] },
    ]);
    expect(await store.connections.get('a')).toEqual(lost);
    expect(await store.connections.get('b')).toEqual(misplaced);
    const agent = await store.agents.get('d');
    expect(agent?.sealedWebhookSecret).toBe(half.sealedWebhookSecret);
    expect(present.isCurrent(agent?.sealedNotificationSecret ?? '')).toBe(true);
  });

  test('keeps what changed meanwhile: a secret that was replaced, an agent that was deleted', async () => {
    await store.agents.create(agentOf('replaced', 1));
    await store.agents.create(agentOf('deleted', 2));
    const replacement = earlier.seal('newer', webhookSecretContext('replaced'));
    const stale = await store.agents.list({}, { limit: 100 });
    for (const agent of stale.data) {
      const isDeleted = agent.id === 'deleted';
      const change = isDeleted ? { deletedAtMs: 9 } : { sealedWebhookSecret: replacement };
      await store.agents.replace({ ...agent, ...change, revision: agent.revision + 1 });
    }
    const listsStale: Store = { ...store, agents: { ...store.agents, list: async () => stale } };
    await reseal(listsStale);
    expect(await openAgentSecrets('replaced')).toEqual(['newer', 'notification of replaced']);
    expect(await store.agents.get('deleted')).toMatchObject({ deletedAtMs: 9, revision: 2 });
  });

  test('keeps the settings of a connection that were replaced since it was listed, and passes over a deleted one', async () => {
    for (const id of ['deleted', 'replaced']) await store.connections.create(connectionOf(id));
    const stale = await store.connections.list({}, { limit: 100 });
    await store.connections.update('replaced', {
      sealedSettings: connectionOf('replaced', earlier, 'newer').sealedSettings,
    });
    await store.connections.delete('deleted');
    const connections = { ...store.connections, list: async () => stale };
    await reseal({ ...store, connections });
    expect(await openConnection('replaced')).toBe('newer');
    expect(await store.connections.get('deleted')).toBeUndefined();
  });

  test('notes each record in the audit trail, without anything of its secrets', async () => {
    await store.connections.create(connectionOf('a'));
    await store.agents.create(agentOf('b', 1));
    await reseal();
    const { data } = await store.auditEvents.list({}, { limit: 10 });
    expect(data.map(({ action, actor, subjectId, changes }) => [action, actor, subjectId, changes])).toEqual(
      expect.arrayContaining([
        ['connection.reseal', 'cli', 'a', {}],
        ['agent.reseal', 'cli', 'b', {}],
      ]),
    );
    expect(data).toHaveLength(2);
  });
});
