import { type Db, type Document, MongoServerError } from 'mongodb';
import { expect, test } from 'vitest';
import { applySchema } from '../../../src/storage/mongo/apply-schema.ts';
import { collections } from '../../../src/storage/mongo/collections.ts';
import { indexes } from '../../../src/storage/mongo/indexes.ts';

interface Server {
  /** Codes with which it refuses. */
  readonly validators?: number;
  readonly changes?: number;
  readonly present?: readonly string[];
}

/** Stands for a server that cannot do all that MongoDB can. */
function openServer({ validators, changes, present = [] }: Server) {
  const created = new Map<string, Document | undefined>(present.map((name) => [name, undefined]));
  const indexed: string[] = [];
  const refuse = (code: number) => Promise.reject(new MongoServerError({ message: 'no', code }));
  const database = {
    createCollection(name: string, options: Document = {}) {
      if (options.validator !== undefined && validators !== undefined) return refuse(validators);
      if (created.has(name)) return refuse(48);
      created.set(name, options.validator);
      return Promise.resolve();
    },
    command({ collMod, validator }: Document) {
      if (changes !== undefined) return refuse(changes);
      created.set(collMod, validator);
      return Promise.resolve();
    },
    collection: () => ({
      createIndexes: (descriptions: readonly Document[]) => {
        indexed.push(...descriptions.map(({ name }) => name));
        return Promise.resolve();
      },
    }),
  };
  return { database: database as unknown as Db, created, indexed };
}

const names = Object.keys(collections);

test('every collection has its validator, a present one by a change of it', async () => {
  const { database, created, indexed } = openServer({ present: ['users'] });
  await applySchema(database);
  expect([...created.keys()].toSorted()).toEqual(names.toSorted());
  expect([...created.values()].filter((validator) => validator === undefined)).toEqual([]);
  expect(indexed).toHaveLength(indexes.length);
});

test.for([59, 72, 115, 238, 303])(
  'a server that knows no validators (%i) has every collection and index without them, however often',
  async (code) => {
    const { database, created, indexed } = openServer({ validators: code, changes: code });
    await applySchema(database);
    await applySchema(database);
    expect([...created.keys()].toSorted()).toEqual(names.toSorted());
    expect(indexed).toHaveLength(2 * indexes.length);
  },
);

test('an account that may not change validators leaves those that are there', async () => {
  const { database, indexed } = openServer({ changes: 13, present: names });
  await applySchema(database);
  expect(indexed).toHaveLength(indexes.length);
});

test('an account that may not create collections is told so', async () => {
  const { database } = openServer({ validators: 13 });
  await expect(applySchema(database)).rejects.toMatchObject({ code: 13 });
});
