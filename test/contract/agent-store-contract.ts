import { describe, expect, test } from 'vitest';
import { StoreConflict } from '../../src/ports/store.ts';
import { anAgent } from './agent-records.ts';
import { type StorePlace, withStores } from './store-contract.ts';

/** Holds a store of agents to the invariants of `ports/agent-store`. */
export function describeAgentStoreContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name}: agents`, () => {
    withStores(createPlace, ({ open }) => {
      test('an agent is read as it was stored, nothing lost', async () => {
        const agent = anAgent({
          notifications: [
            { kind: 'webhook', url: 'https://example.com/hook', statuses: ['failed'] },
            { kind: 'email', address: 'a@example.com', statuses: [] },
          ],
          prompt: 'Zeile 1\nZeile 2 \u0000 🙂',
        });
        await (await open()).agents.create(agent);
        expect(await (await open()).agents.get(agent.id)).toEqual(agent);
        expect(await (await open()).agents.get('nobody')).toBeUndefined();
      });

      test('two agents of one owner never have the same time of creation; those of two owners may', async () => {
        const { agents } = await open();
        await agents.create(anAgent());
        await expect(agents.create(anAgent({ id: 'agent-2' }))).rejects.toEqual(
          new StoreConflict('createdAtMs'),
        );
        await agents.create(anAgent({ id: 'agent-2', ownerId: 'user-2' }));
      });

      test('an id is given once', async () => {
        const { agents } = await open();
        await agents.create(anAgent());
        await expect(agents.create(anAgent({ createdAtMs: 5 }))).rejects.toEqual(new StoreConflict('id'));
      });

      test('of many replacements over one revision, through several stores, one succeeds', async () => {
        const stores = await Promise.all([open(), open(), open()]);
        await stores[0].agents.create(anAgent());
        const tries = stores.flatMap((store, index) =>
          [0, 1, 2].map((step) =>
            store.agents.replace(anAgent({ revision: 2, name: `change ${index}.${step}` })),
          ),
        );
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
        expect(await stores[1].agents.replace(anAgent({ revision: 2 }))).toBe(false);
        expect(await stores[1].agents.replace(anAgent({ id: 'nobody', revision: 2 }))).toBe(false);
        expect(await stores[2].agents.get('agent-1')).toMatchObject({ revision: 2 });
      });

      test('lists are by owner or organization, the newest first, without deleted agents, paged', async () => {
        const { agents } = await open();
        for (const n of [1, 2, 3, 4, 5]) {
          const ownerId = n === 3 ? 'user-2' : 'user-1';
          await agents.create(anAgent({ id: `agent-${n}`, createdAtMs: n, ownerId }));
        }
        await agents.replace(anAgent({ id: 'agent-4', createdAtMs: 4, deletedAtMs: 9, revision: 2 }));
        const first = await agents.list({ ownerId: 'user-1' }, { limit: 2 });
        expect(first.data.map(({ id }) => id)).toEqual(['agent-5', 'agent-2']);
        const cursor = first.nextCursor ?? '';
        const second = await agents.list({ ownerId: 'user-1' }, { limit: 2, cursor });
        expect(second).toMatchObject({ data: [{ id: 'agent-1' }] });
        expect(second.nextCursor).toBeUndefined();
        const all = await agents.list({ organizationId: 'organization-1' }, { limit: 100 });
        expect(all.data.map(({ id }) => id)).toEqual(['agent-5', 'agent-3', 'agent-2', 'agent-1']);
      });

      test('those that are due are found at their millisecond, the longest due first', async () => {
        const { agents } = await open();
        const dueTimes = [30, null, 10, 20];
        for (const [index, nextRunAtMs] of dueTimes.entries()) {
          await agents.create(anAgent({ id: `agent-${index}`, createdAtMs: index, nextRunAtMs }));
        }
        const due = async (nowMs: number, limit = 10) =>
          (await agents.listDue(nowMs, limit)).map(({ nextRunAtMs }) => nextRunAtMs);
        expect(await due(9)).toEqual([]);
        expect(await due(20)).toEqual([10, 20]);
        expect(await due(1_000, 1)).toEqual([10]);
      });
    });
  });
}
