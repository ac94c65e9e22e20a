import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AccountHarness, createPeople, openAccounts } from './harness.ts';

let harness: AccountHarness;
let userId: string;
beforeEach(async () => {
  harness = openAccounts();
  userId = (await createPeople(harness)).user.id;
  for (const [id, owner] of [
    ['a', userId],
    ['b', userId],
    ['c', 'another'],
  ] as const) {
    const times = { createdAtMs: 1, lastUsedAtMs: 1, expiresAtMs: 9 };
    await harness.store.sessions.create({ id, userId: owner, passwordTag: 't', ...times });
  }
});
afterEach(() => harness.store.close());

const present = async () => {
  const found = await Promise.all(['a', 'b', 'c'].map((id) => harness.store.sessions.get(id)));
  return found.flatMap((session) => session?.id ?? []);
};

test.for<[string, object]>([
  ['another password', { password: 'another password' }],
  ['no password', { password: null }],
  ['deactivation', { active: false }],
])('%s signs the user out everywhere, and nobody else', async ([, change]) => {
  await harness.services.users.update(userId, change, 'cli');
  expect(await present()).toEqual(['c']);
});

test.for<[string, object]>([
  ['another name', { name: 'Grace' }],
  ['another address', { email: 'grace@example.com' }],
  ['another role', { role: 'admin' }],
  ['activation', { active: true }],
])('%s does not', async ([, change]) => {
  await harness.services.users.update(userId, change, 'cli');
  expect(await present()).toEqual(['a', 'b', 'c']);
});
