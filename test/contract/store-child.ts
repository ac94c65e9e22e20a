/**
 * A process that writes through a store while another one watches or kills it:
 * `node store-child.ts <opener module> <location> <task> [argument]`. Each line on standard output acknowledges a write.
 */
import type { Store } from '../../src/ports/store.ts';
import { aUser } from './records.ts';

const account = { organizationId: 'organization-1', apiKeyId: 'key-1', cycleStartMs: 0, nowMs: 1_000 };

const tasks: Record<string, (store: Store, argument: string) => Promise<void>> = {
  /** Creates users without end. */
  async createUsers(store, prefix) {
    for (let index = 0; ; index += 1) {
      const id = `${prefix}-${index}`;
      await store.users.create(aUser({ id, name: 'x'.repeat(index % 5_000) }));
      acknowledge(id);
    }
  },

  /** Reserves and settles 7 tokens without end. */
  async settle(store) {
    for (let index = 0; ; index += 1) {
      const reservationId = `reservation-${index}`;
      const limits = { keyLimit: null, poolLimit: null };
      await store.ledger.reserve({ ...account, ...limits, reservationId, tokens: 9, leaseEndsAtMs: 2_000 });
      await store.ledger.settle(account, reservationId, 7);
      acknowledge(reservationId);
    }
  },

  /** Tries to reserve 25 places of the 10 that there are, all at once. */
  async reserve(store, prefix) {
    const attempts = Array.from({ length: 25 }, (_, index) =>
      store.ledger.reserve({
        ...account,
        reservationId: `${prefix}-${index}`,
        tokens: 1,
        leaseEndsAtMs: 1e15,
        keyLimit: 10,
        poolLimit: null,
      }),
    );
    for (const result of await Promise.all(attempts)) acknowledge(result.ok ? 'reserved' : 'refused');
  },

  async revoke(store, id) {
    await store.apiKeys.update(id, { revokedAtMs: 5 });
    acknowledge(id);
  },
};

function acknowledge(text: string): void {
  process.stdout.write(`${text}\n`);
}

const [opener = '', location = '', task = '', argument = ''] = process.argv.slice(2);
const { openStore } = (await import(opener)) as { openStore(location: string): Promise<Store> };
const store = await openStore(location);
await tasks[task]?.(store, argument);
await store.close();
