import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Page, PageRequest } from '../../src/ports/page.ts';
import { type Store, StoreConflict } from '../../src/ports/store.ts';
import { aConnection, anApiKey, anAuditEvent, anOrganization, aUser } from './records.ts';
import { runStoreProcess } from './store-process.ts';

/** A fresh, empty place for a store, and how any process opens it. */
export interface StorePlace {
  /** A module that exports `openStore(location: string): Promise<Store>`. */
  readonly opener: URL;
  readonly location: string;
  remove(): Promise<void>;
}

/** Runs `body` with stores over a fresh place before each test; all are closed and the place removed after it. */
export function withStores(
  createPlace: () => Promise<StorePlace>,
  body: (stores: { open(): Promise<Store>; place(): StorePlace }) => void,
): void {
  let place: StorePlace;
  let opened: Store[];

  beforeEach(async () => {
    place = await createPlace();
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await place.remove();
  });

  body({
    place: () => place,
    async open() {
      const { openStore } = (await import(place.opener.href)) as { openStore(at: string): Promise<Store> };
      const store = await openStore(place.location);
      opened.push(store);
      return store;
    },
  });
}

/** Every invariant of `ports/store.ts`, for any adapter. The ledger has a suite of its own. */
export function describeStoreContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name} is a store`, () => {
    withStores(createPlace, ({ open }) => {
      test('a new store is empty until the first organization', async () => {
        const store = await open();
        expect(await store.organizations.isEmpty()).toBe(true);
        await store.organizations.create(anOrganization());
        expect(await store.organizations.isEmpty()).toBe(false);
      });

      test('a record comes back as it was created', async () => {
        const store = await open();
        const organization = anOrganization({
          name: 'Ünïcødé 🌍 "quoted" \u0000',
          models: ['a', 'b'],
          tokenPool: Number.MAX_SAFE_INTEGER,
          usagePool: { unit: 'tokens', limit: 5, window: 'day' },
        });
        await store.organizations.create(organization);
        await store.users.create(aUser());
        await store.apiKeys.create(anApiKey());
        await store.connections.create(aConnection({ actorId: null }));
        expect(await store.organizations.get('organization-1')).toEqual(organization);
        expect(await store.users.get('user-1')).toEqual(aUser());
        expect(await store.apiKeys.get('key-1')).toEqual(anApiKey());
        expect(await store.connections.get('connection-1')).toEqual(aConnection({ actorId: null }));
      });

      test('an id that was never created gives undefined', async () => {
        const store = await open();
        expect(await store.organizations.get('none')).toBeUndefined();
        expect(await store.users.update('none', { name: 'x' })).toBeUndefined();
        expect(await store.users.findByEmail('none@example.com')).toBeUndefined();
        expect(await store.apiKeys.findPrincipal('none')).toBeUndefined();
        expect(await store.connections.delete('none')).toBe(false);
        await store.apiKeys.touch('none', 60_000);
        expect(await store.apiKeys.get('none')).toBeUndefined();
      });

      test('a unique value that is taken is refused with its field, and nothing is written', async () => {
        const store = await open();
        await store.organizations.create(anOrganization());
        await store.users.create(aUser({ id: 'user-1', email: 'ada@example.com' }));
        await store.users.create(aUser({ id: 'user-2', email: 'bob@example.com' }));
        await store.apiKeys.create(anApiKey({ id: 'key-1', keyHash: 'same' }));
        await expectConflict('id', store.organizations.create(anOrganization({ name: 'Other' })));
        await expectConflict('email', store.users.create(aUser({ id: 'user-3', email: 'ada@example.com' })));
        await expectConflict(
          'email',
          store.users.update('user-2', { email: 'ada@example.com', name: 'New' }),
        );
        await expectConflict('keyHash', store.apiKeys.create(anApiKey({ id: 'key-2', keyHash: 'same' })));
        expect((await store.organizations.get('organization-1'))?.name).toBe('Example');
        expect(await store.users.get('user-3')).toBeUndefined();
        expect((await store.users.get('user-2'))?.name).toBe('Ada');
      });

      test('of parallel creations of one unique value exactly one succeeds', async () => {
        const stores = [await open(), await open()];
        const attempts = Array.from({ length: 20 }, (_, index) =>
          stores[index % 2]?.users.create(aUser({ id: `user-${index}`, email: 'one@example.com' })),
        );
        const results = await Promise.allSettled(attempts);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect((await stores[0]?.users.list({}, { limit: 100 }))?.data).toHaveLength(1);
      });

      test('an update sets the given fields, leaves the others, and returns the record after it', async () => {
        const store = await open();
        await store.users.create(aUser());
        const expected = aUser({ name: 'Grace', usageLimit: { unit: 'requests', limit: 3, window: 'hour' } });
        const usageLimit = { unit: 'requests', limit: 3, window: 'hour' } as const;
        expect(await store.users.update('user-1', { name: 'Grace', usageLimit })).toEqual(expected);
        expect(await store.users.get('user-1')).toEqual(expected);
        expect(await store.users.update('user-1', { usageLimit: null })).toEqual({
          ...expected,
          usageLimit: null,
        });
      });

      test('parallel updates of different fields of one record are all kept', async () => {
        const stores = [await open(), await open()];
        await stores[0]?.organizations.create(anOrganization());
        await Promise.all([
          stores[0]?.organizations.update('organization-1', { name: 'Renamed' }),
          stores[1]?.organizations.update('organization-1', { suspended: true }),
          stores[0]?.organizations.update('organization-1', { tokenPool: 7 }),
          stores[1]?.organizations.update('organization-1', { trial: true }),
        ]);
        expect(await stores[0]?.organizations.get('organization-1')).toEqual(
          anOrganization({ name: 'Renamed', suspended: true, tokenPool: 7, trial: true }),
        );
      });

      test('a value that an update freed can be taken again', async () => {
        const store = await open();
        await store.users.create(aUser({ id: 'user-1', email: 'old@example.com' }));
        await store.users.update('user-1', { email: 'new@example.com' });
        await store.users.create(aUser({ id: 'user-2', email: 'old@example.com' }));
        expect((await store.users.findByEmail('old@example.com'))?.id).toBe('user-2');
        expect((await store.users.findByEmail('new@example.com'))?.id).toBe('user-1');
      });

      test('lists are in order of creation, equal times by id, and pages hold each record once', async () => {
        const store = await open();
        const times = [5, 1, 5, 3, 5, 2, 4, 5];
        for (const [index, createdAtMs] of times.entries()) {
          await store.users.create(aUser({ id: `user-${index}`, createdAtMs }));
        }
        const pages = await readPages((page) => store.users.list({}, page), 3);
        expect(pages.map((page) => page.data.length)).toEqual([3, 3, 2]);
        const ids = pages.flatMap((page) => page.data.map(({ id }) => id));
        expect(ids).toEqual(['user-1', 'user-5', 'user-3', 'user-6', 'user-0', 'user-2', 'user-4', 'user-7']);
      });

      test('a page that ends with the last record has no cursor', async () => {
        const store = await open();
        for (const id of ['user-1', 'user-2']) await store.users.create(aUser({ id }));
        expect(await store.users.list({}, { limit: 2 })).not.toHaveProperty('nextCursor');
        expect((await store.users.list({}, { limit: 1 })).nextCursor).toBeTypeOf('string');
      });

      test('each row comes once under concurrent inserts', async () => {
        const store = await open();
        for (let index = 0; index < 10; index += 1) {
          await store.users.create(aUser({ id: `early-${index}`, createdAtMs: 100 + index }));
        }
        const pages = await readPages(async (page) => {
          const read = await store.users.list({}, page);
          const position = read.data.at(-1)?.createdAtMs ?? 0;
          await store.users.create(aUser({ id: `before-${position}`, createdAtMs: position - 50 }));
          if (position < 109) await store.users.create(aUser({ id: `after-${position}`, createdAtMs: 500 }));
          return read;
        }, 4);
        const ids = pages.flatMap((page) => page.data.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => id.startsWith('early'))).toHaveLength(10);
      });

      test('a cursor that no page gave is an invalid request', async () => {
        const store = await open();
        await expect(store.users.list({}, { limit: 1, cursor: 'nonsense' })).rejects.toMatchObject({
          slug: 'invalid_request',
        });
      });

      test('lists hold only what their filter names', async () => {
        const store = await open();
        for (const [id, organizationId] of [
          ['1', 'a'],
          ['2', 'b'],
          ['3', 'a'],
        ] as const) {
          await store.users.create(aUser({ id, organizationId }));
          await store.apiKeys.create(anApiKey({ id, organizationId }));
          await store.connections.create(
            aConnection({ id, organizationId, actorId: id === '1' ? 'x' : null }),
          );
        }
        const page = { limit: 10 };
        expect(idsOf(await store.users.list({ organizationId: 'a' }, page))).toEqual(['1', '3']);
        expect(idsOf(await store.apiKeys.list({ organizationId: 'b' }, page))).toEqual(['2']);
        expect(idsOf(await store.connections.list({ organizationId: 'a', actorId: 'x' }, page))).toEqual([
          '1',
        ]);
        expect(idsOf(await store.connections.list({ actorId: 'y' }, page))).toEqual([]);
      });

      test('a deleted connection is gone, once', async () => {
        const store = await open();
        await store.connections.create(aConnection());
        expect(await store.connections.delete('connection-1')).toBe(true);
        expect(await store.connections.delete('connection-1')).toBe(false);
        expect(await store.connections.get('connection-1')).toBeUndefined();
      });

      test('the audit trail lists the newest first, by organization', async () => {
        const store = await open();
        await store.auditEvents.append(anAuditEvent({ id: '1', createdAtMs: 1 }));
        await store.auditEvents.append(anAuditEvent({ id: '2', createdAtMs: 3, organizationId: null }));
        await store.auditEvents.append(anAuditEvent({ id: '3', createdAtMs: 2, changes: { name: 'x' } }));
        const pages = await readPages((page) => store.auditEvents.list({}, page), 2);
        expect(pages.flatMap(idsOf)).toEqual(['2', '3', '1']);
        const own = await store.auditEvents.list({ organizationId: 'organization-1' }, { limit: 10 });
        expect(own.data).toEqual([
          anAuditEvent({ id: '3', createdAtMs: 2, changes: { name: 'x' } }),
          anAuditEvent({ id: '1', createdAtMs: 1 }),
        ]);
      });

      test('a store that answers says so, whoever writes at the time', async () => {
        const store = await open();
        await expect(store.ping()).resolves.toBeUndefined();
        await Promise.all([store.organizations.create(anOrganization()), store.ping()]);
      });

      test('a store that was closed rejects', async () => {
        const store = await open();
        await store.close();
        await expect(store.ping()).rejects.toThrow();
        await expect(store.organizations.get('organization-1')).rejects.toThrow();
        await expect(store.users.create(aUser())).rejects.toThrow();
        await expect(store.apiKeys.findPrincipal('hash')).rejects.toThrow();
      });

      test('closing waits for the writes that were asked for', async () => {
        const store = await open();
        const writes = Array.from({ length: 20 }, (_, index) =>
          store.users.create(aUser({ id: `user-${index}` })),
        );
        await store.close();
        await Promise.all(writes);
        const later = await open();
        expect((await later.users.list({}, { limit: 100 })).data).toHaveLength(20);
      });
    });
  });

  describe(`${name} finds principals`, () => {
    withStores(createPlace, ({ open, place }) => {
      async function openWithKey(): Promise<Store> {
        const store = await open();
        await store.organizations.create(anOrganization());
        await store.users.create(aUser());
        await store.apiKeys.create(anApiKey());
        return store;
      }

      test('a key comes with its actor and organization', async () => {
        const store = await openWithKey();
        const expected = { apiKey: anApiKey(), actor: aUser(), organization: anOrganization() };
        expect(await store.apiKeys.findPrincipal('hash of key-1')).toEqual(expected);
        expect(await store.apiKeys.findPrincipal('hash of key-1')).toEqual(expected);
      });

      test.for([
        ['actor', { actorId: 'none' }],
        ['organization', { organizationId: 'none' }],
      ] as const)('a key without its %s is none', async ([, fields]) => {
        const store = await openWithKey();
        await store.apiKeys.create(anApiKey({ id: 'key-2', ...fields }));
        expect(await store.apiKeys.findPrincipal('hash of key-2')).toBeUndefined();
      });

      test('a change of key, actor or organization shows on the very next look-up', async () => {
        const store = await openWithKey();
        await store.apiKeys.findPrincipal('hash of key-1');
        await store.apiKeys.update('key-1', { rateLimitPerHour: 5 });
        expect((await store.apiKeys.findPrincipal('hash of key-1'))?.apiKey.rateLimitPerHour).toBe(5);
        await store.users.update('user-1', { active: false });
        expect((await store.apiKeys.findPrincipal('hash of key-1'))?.actor.active).toBe(false);
        await store.organizations.update('organization-1', { suspended: true });
        expect((await store.apiKeys.findPrincipal('hash of key-1'))?.organization.suspended).toBe(true);
        await store.apiKeys.update('key-1', { keyHash: 'rotated' });
        expect(await store.apiKeys.findPrincipal('hash of key-1')).toBeUndefined();
        expect((await store.apiKeys.findPrincipal('rotated'))?.apiKey.id).toBe('key-1');
      });

      test('a change through another open store shows on the very next look-up', async () => {
        const store = await openWithKey();
        const other = await open();
        for (let limit = 1; limit <= 20; limit += 1) {
          await store.apiKeys.findPrincipal('hash of key-1');
          await other.apiKeys.update('key-1', { rateLimitPerHour: limit });
          expect((await store.apiKeys.findPrincipal('hash of key-1'))?.apiKey.rateLimitPerHour).toBe(limit);
        }
      });

      test('a change by another process shows on the very next look-up', async () => {
        const store = await openWithKey();
        expect((await store.apiKeys.findPrincipal('hash of key-1'))?.apiKey.revokedAtMs).toBeNull();
        await runStoreProcess(place(), 'revoke', 'key-1');
        expect((await store.apiKeys.findPrincipal('hash of key-1'))?.apiKey.revokedAtMs).toBe(5);
      });

      test('a use is noted to the minute and never set back', async () => {
        const store = await openWithKey();
        const other = await open();
        await store.apiKeys.findPrincipal('hash of key-1');
        await store.apiKeys.touch('key-1', 125_000);
        expect((await store.apiKeys.get('key-1'))?.lastUsedAtMs).toBe(120_000);
        expect((await store.apiKeys.findPrincipal('hash of key-1'))?.apiKey.lastUsedAtMs).toBe(120_000);
        await other.apiKeys.touch('key-1', 61_000);
        expect((await store.apiKeys.get('key-1'))?.lastUsedAtMs).toBe(120_000);
        await other.apiKeys.touch('key-1', 180_000);
        expect((await store.apiKeys.get('key-1'))?.lastUsedAtMs).toBe(180_000);
      });
    });
  });

  describe(`${name} is durable`, () => {
    withStores(createPlace, ({ open, place }) => {
      test('a resolved write survives SIGKILL, and nothing is half there', async () => {
        for (const [round, acknowledgements] of [1, 40, 90].entries()) {
          const prefix = `round-${round}`;
          const acknowledged = await runStoreProcess(place(), 'createUsers', prefix, acknowledgements);
          const store = await open();
          const pages = await readPages((page) => store.users.list({}, page), 100);
          const users = pages.flatMap(({ data }) => data).filter(({ id }) => id.startsWith(prefix));
          const index = (id: string) => Number(id.slice(prefix.length + 1));
          users.sort((one, two) => index(one.id) - index(two.id));
          expect(users.length).toBeGreaterThanOrEqual(acknowledged.length);
          for (const [position, user] of users.entries()) {
            expect(user).toEqual(aUser({ id: `${prefix}-${position}`, name: 'x'.repeat(position % 5_000) }));
          }
        }
      });

      test('two processes write at once and lose nothing', async () => {
        const killed = await Promise.all([
          runStoreProcess(place(), 'createUsers', 'left', 60),
          runStoreProcess(place(), 'createUsers', 'right', 60),
        ]);
        const store = await open();
        const pages = await readPages((page) => store.users.list({}, page), 100);
        const ids = new Set(pages.flatMap(idsOf));
        expect(killed.flat().filter((id) => !ids.has(id))).toEqual([]);
        expect(killed.flat().length).toBeGreaterThanOrEqual(120);
      });
    });
  });
}

async function expectConflict(field: string, attempt: Promise<unknown>): Promise<void> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreConflict);
  expect(error).toMatchObject({ field });
}

async function readPages<T>(
  list: (page: PageRequest) => Promise<Page<T>>,
  limit: number,
): Promise<readonly Page<T>[]> {
  const pages: Page<T>[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor === undefined ? { limit } : { limit, cursor });
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

function idsOf(page: Page<{ readonly id: string }>): string[] {
  return page.data.map(({ id }) => id);
}
