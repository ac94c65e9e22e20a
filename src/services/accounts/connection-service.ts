import { type Connection, connectionKinds } from '../../domain/connection.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ConnectionTestResult } from '../../ports/connection-tester.ts';
import type { Page } from '../../ports/page.ts';
import { type AccountDependencies, newId } from './account-dependencies.ts';
import { recordChange } from './audit-service.ts';
import {
  connectionAddress,
  openConnectionSettings,
  readConnectionSettings,
  sealConnectionSettings,
} from './connection-settings.ts';
import { oneOf, readFields, refuse, text } from './field-rules.ts';
import { checkedPage, type PageInput } from './page-rules.ts';

const rules = {
  organizationId: text(1, 200),
  actorId: text(1, 200),
  name: text(1, 200),
  kind: oneOf(connectionKinds),
};

/** Owned by a user (`actorId`) or by an organization, one of the two. */
export type ConnectionInput = { readonly [Field in keyof typeof rules]?: unknown } & {
  readonly settings?: Readonly<Record<string, unknown>>;
};

export interface ConnectionService {
  /**
   * Saves a connection, tests it, and makes it active when the test passes.
   *
   * @param by The administrator: a user id or `cli`.
   * @throws `invalid_request`
   */
  create(
    input: ConnectionInput,
    by: string,
  ): Promise<{ readonly connection: Connection; readonly test: ConnectionTestResult }>;
  /** @throws `not_found` */
  get(id: string): Promise<Connection>;
  /** Tests a connection and makes it active or not by what came out. @throws `not_found` */
  test(id: string, by: string): Promise<ConnectionTestResult>;
  /** Removes a connection, its credentials with it. @throws `not_found` */
  delete(id: string, by: string): Promise<void>;
  /** In order of creation. */
  list(filter: { organizationId?: string; actorId?: string }, page: PageInput): Promise<Page<Connection>>;
}

export function createConnectionService(deps: AccountDependencies): ConnectionService {
  const { store, clock, sealer, connectionTester } = deps;

  async function get(id: string): Promise<Connection> {
    return (await store.connections.get(id)) ?? notFound(id);
  }

  async function findOwner(organizationId?: string, actorId?: string) {
    if ((organizationId === undefined) === (actorId === undefined)) {
      refuse('organizationId', 'or actor_id is required, and only one of them');
    }
    if (actorId !== undefined) {
      const actor = (await store.users.get(actorId)) ?? refuse('actorId', 'names no user');
      return { organizationId: actor.organizationId, actorId };
    }
    const organization = await store.organizations.get(organizationId ?? '');
    if (organization === undefined) refuse('organizationId', 'names no organization');
    return { organizationId: organization.id, actorId: null };
  }

  async function runTest(connection: Connection) {
    const test = await connectionTester.test(connection, openConnectionSettings(sealer, connection));
    const now = clock.now();
    const patch = { active: test.ok, testedAtMs: now, updatedAtMs: now };
    return {
      test,
      connection: (await store.connections.update(connection.id, patch)) ?? notFound(connection.id),
    };
  }

  function audit(
    connection: Connection,
    verb: string,
    by: string,
    changes: Readonly<Record<string, unknown>>,
  ) {
    const { id, organizationId } = connection;
    const subject = { organizationId, subjectType: 'connection', subjectId: id } as const;
    return recordChange(deps, { ...subject, actor: by, action: `connection.${verb}`, changes });
  }

  return {
    async create(input, by) {
      const { name, kind, organizationId, actorId } = readFields(rules, input);
      if (name === undefined) refuse('name', 'is required');
      if (kind === undefined) refuse('kind', `is required; there are ${connectionKinds.join(', ')}`);
      const owner = await findOwner(organizationId, actorId);
      const settings = readConnectionSettings(kind, input.settings ?? {});
      const now = clock.now();
      const id = newId(deps);
      const address = connectionAddress(settings);
      const connection: Connection = {
        id,
        ...owner,
        name,
        kind,
        address,
        sealedSettings: sealConnectionSettings(sealer, id, settings),
        active: false,
        testedAtMs: null,
        createdAtMs: now,
        updatedAtMs: now,
      };
      await store.connections.create(connection);
      await audit(connection, 'create', by, { name, kind, address, actorId: owner.actorId });
      return runTest(connection);
    },

    get,

    async test(id, by) {
      const { connection, test } = await runTest(await get(id));
      await audit(connection, 'test', by, { active: test.ok });
      return test;
    },

    async delete(id, by) {
      const connection = await get(id);
      if (!(await store.connections.delete(id))) notFound(id);
      await audit(connection, 'delete', by, { name: connection.name });
    },

    list: async (filter, page) => store.connections.list(filter, checkedPage(page)),
  };
}

function notFound(id: string): never {
  throw new ServiceError('not_found', { detail: `There is no connection ${id}.` });
}
