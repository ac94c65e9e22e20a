import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLeaseKeeper } from '../../../src/services/chat/lease-keeper.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function aLease(answers: (boolean | Error)[]) {
  const lease = {
    renewals: 0,
    lost: 0,
    async renew() {
      lease.renewals += 1;
      const answer = answers.shift() ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onLost() {
      lease.lost += 1;
    },
  };
  return lease;
}

test('leases are renewed until nobody cares for them', async () => {
  const keeper = createLeaseKeeper({ intervalMs: 1_000, report: () => {} });
  const [a, b] = [aLease([]), aLease([])];
  const endA = keeper.keep(a);
  const endB = keeper.keep(b);
  await vi.advanceTimersByTimeAsync(2_000);
  endA();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([a.renewals, b.renewals]).toEqual([2, 3]);
  endB();
  expect(vi.getTimerCount()).toBe(0);
});

test('a lost lease is told once and not renewed any more', async () => {
  const keeper = createLeaseKeeper({ intervalMs: 1_000, report: () => {} });
  const lease = aLease([true, false]);
  keeper.keep(lease);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([lease.renewals, lease.lost]).toEqual([2, 1]);
});

test('a store that is away for a moment loses no lease', async () => {
  const reports: unknown[] = [];
  const keeper = createLeaseKeeper({ intervalMs: 1_000, report: (_, cause) => reports.push(cause) });
  const lease = aLease([new Error('away'), true]);
  keeper.keep(lease);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([lease.renewals, lease.lost, reports.length]).toEqual([3, 0, 1]);
});
