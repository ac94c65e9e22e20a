import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TurnPrincipal } from '../../src/domain/chat.ts';
import { createToolConnections } from '../../src/services/tool-connections.ts';
import { type AccountHarness, createPeople, openAccounts } from './accounts/harness.ts';

let harness: AccountHarness;

beforeEach(() => {
  harness = openAccounts();
});

afterEach(() => harness.store.close());

test("finds the actor's own connections before the organization's, and nobody else's", async () => {
  const { organization, user } = await createPeople(harness);
  const { services, deps } = harness;
  const other = await services.users.create(
    { organizationId: organization.id, email: 'bo@example.com', name: 'Bo' },
    'cli',
  );
  const stranger = await services.organizations.create({ name: 'Stranger' }, 'cli');
  const create = async (name: string, owner: object, kind = 'sqlite') => {
    const settings = kind === 'sqlite' ? { path: `/data/${name}.db` } : { url: `postgres://u:p@db/${name}` };
    await services.connections.create({ name, kind, settings, ...owner }, 'cli');
    harness.nowMs += 1;
  };
  for (let number = 0; number < 120; number += 1) await create(`other ${number}`, { actorId: other.id });
  await create('shared', { organizationId: organization.id });
  await create('own', { actorId: user.id });
  await create('own too', { actorId: user.id }, 'postgres');
  await create("stranger's", { organizationId: stranger.id });
  harness.testResult = { ok: false, detail: 'down' };
  await create('down', { actorId: user.id });

  const connections = createToolConnections(deps);
  const principal = { organization, actor: user } as unknown as TurnPrincipal;
  const found = await connections.activeOf(principal, ['sqlite', 'postgres', 'mysql']);
  expect(found.map(({ connection }) => connection.name)).toEqual(['own', 'own too', 'shared']);
  expect(found[1]?.settings).toEqual({ kind: 'postgres', url: 'postgres://u:p@db/own%20too' });
  expect(JSON.stringify(found.map(({ connection }) => connection))).not.toContain('sealed');
  const only = await connections.activeOf(principal, ['sqlite']);
  expect(only.map(({ connection }) => connection.name)).toEqual(['own', 'shared']);
});
