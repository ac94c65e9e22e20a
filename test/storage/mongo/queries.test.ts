import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, MongoClient, MongoServerError } from 'mongodb';
import { expect, test } from 'vitest';
import { clientOptions, defaultTimeouts } from '../../../src/storage/mongo/database.ts';
import { indexes } from '../../../src/storage/mongo/indexes.ts';
import { migrate } from '../../../src/storage/mongo/migrate.ts';
import { type Query, queries } from '../../../src/storage/mongo/queries.ts';
import { describeWithMongo } from '../../mongo-server.ts';
import { createMongoPlace } from './opener.ts';

type Queries = typeof queries;

const page = { after: undefined, limit: 10 };
const next = { after: { createdAtMs: 5, id: 'a' }, limit: 10 };
const owner = { organizationId: 'o', actorId: 'u' };
const room = { nowMs: 5, sums: [{ used: 'used', owner: '-k', max: 5 }] };
const allRuns = { limit: 10, statuses: [], triggerTypes: [] };

/** What each query is asked with, in every form that it has. */
const examples: { readonly [Name in keyof Queries]: readonly Parameters<Queries[Name]>[] } = {
  organization: [['o']],
  anyOrganization: [[]],
  organizations: [[page], [next]],
  user: [['u']],
  userByEmail: [['a@example.com']],
  users: [[page], [next]],
  usersOfOrganization: [
    ['o', page],
    ['o', next],
  ],
  session: [['s']],
  sessionsOfUser: [['u', 3]],
  expiredSessions: [[5]],
  apiKey: [['k']],
  apiKeyByHash: [['hash']],
  apiKeys: [[page], [next]],
  apiKeysOfOrganization: [
    ['o', page],
    ['o', next],
  ],
  connection: [['c']],
  connections: [[page], [next]],
  connectionsOfOrganization: [
    ['o', page],
    ['o', next],
  ],
  connectionsOfActor: [
    [{ actorId: 'u' }, page],
    [owner, next],
  ],
  auditEvent: [['e']],
  auditEvents: [[page], [next]],
  auditEventsOfOrganization: [
    ['o', page],
    ['o', next],
  ],
  ledgerCycle: [['o 0']],
  ledgerCycleWithRoom: [['o 0', '-r', { ...room, map: 'reservations' }]],
  ledgerCycleWithReservation: [['o 0', '-r']],
  ledgerCycleWithLiveReservation: [['o 0', '-r', 5]],
  usageWindow: [['w']],
  usageWindowWithRoom: [['w', '-h', { ...room, map: 'holds' }]],
  usageWindowWithHold: [['w', '-h']],
  usageWindowWithLiveHold: [['w', '-h', 5]],
  conversation: [['c']],
  conversationOfOwner: [['c', owner]],
  unlockedConversation: [['c', owner, 5]],
  lockedConversation: [['c', 't']],
  unlistedConversation: [['c', 't']],
  conversationBefore: [
    ['c', { position: 2, updatedAtMs: 5 }],
    ['c', { position: 2, updatedAtMs: 5, lockToken: 't' }],
  ],
  listedConversations: [[owner, 5, 10]],
  turn: [['t']],
  turns: [[['t', 'u']]],
  turnOfClaim: [['c']],
  runningTurn: [['t', 1]],
  claimedRunningTurn: [['t', 1]],
  deadTurn: [['t', 1, 5]],
  committedTurn: [['t']],
  spentTurns: [[['t', 'u']]],
  appliedTurnWithoutEntry: [['t']],
  entries: [['c', 5, 10]],
  deadTurns: [[5, 10]],
  unappliedTurns: [[5, 10]],
  expiredClaims: [[5, 10]],
  agent: [['a']],
  agentAtRevision: [['a', 1]],
  agents: [[page], [next]],
  agentsOfOrganization: [
    ['o', page],
    ['o', next],
  ],
  agentsOfOwner: [
    [{ ownerId: 'u' }, page],
    [{ ownerId: 'u', organizationId: 'o' }, next],
  ],
  dueAgents: [[5, 10]],
  run: [['r']],
  runAtRevision: [['r', 1]],
  activeRun: [['a']],
  runsOfAgent: [
    ['a', allRuns],
    ['a', { ...allRuns, beforeMs: 5, statuses: ['queued'], triggerTypes: ['manual', 'webhook'] }],
  ],
  dueRuns: [[5, 10]],
  replayClaim: [['k', 5]],
  endedReplayClaim: [['k', 5]],
  endedReplayClaims: [[5]],
  waitingJob: [['j']],
  leasedJob: [['j', 't']],
  jobs: [[10]],
  dueJob: [[5]],
};

const asked: readonly (readonly [string, Query])[] = Object.entries(queries).flatMap(([name, query]) => {
  const ask = query as (...args: readonly unknown[]) => Query;
  return examples[name as keyof Queries].map((args) => [name, ask(...args)] as const);
});

const idIndex = { keys: { _id: 1 }, sparse: false };

function indexOf({ collection, index: name }: Query): { keys: Record<string, number>; sparse: boolean } {
  if (name === '_id_') return idIndex;
  const index = indexes.find((candidate) => candidate.collection === collection && candidate.name === name);
  if (index === undefined) throw new Error(`${collection} has no index ${name}`);
  return { keys: index.keys, sparse: index.sparse === true };
}

function isEquality(condition: unknown): boolean {
  if (condition === null || typeof condition !== 'object') return true;
  return '$in' in condition;
}

/** Field names of the sort that the index gives once the fields that are compared for equality are set. */
function sortServed({ filter, sort = {} }: Query, keys: Readonly<Record<string, number>>): boolean {
  const open = Object.entries(keys).filter(([field]) => !(field in filter && isEquality(filter[field])));
  const wanted = Object.entries(sort);
  const directions = wanted.map(([field, direction], place) => {
    const [key, order] = open[place] ?? [];
    return key === field ? direction * (order ?? 0) : 0;
  });
  return (
    directions.every((direction) => direction === 1) || directions.every((direction) => direction === -1)
  );
}

test.for(asked)(
  '%s is served by its index: its first field is given, and its order is the index’s',
  ([, query]) => {
    const { keys, sparse } = indexOf(query);
    const [first = ''] = Object.keys(keys);
    const isBounded = first in query.filter;
    // A list of everything walks its index from one end, no further than its limit.
    const isLimitedWalk = query.limit !== undefined && query.sort !== undefined && first in query.sort;
    expect(isBounded || (isLimitedWalk && !sparse)).toBe(true);
    expect(sortServed(query, keys)).toBe(true);
    // Documents that a sparse index does not hold have none of its fields: no query may be about them.
    const missing = Object.entries(query.filter).filter(([field, value]) => field in keys && value === null);
    expect(sparse ? missing : []).toEqual([]);
  },
);

test('every index serves a query, keeps a value unique or removes what is over', () => {
  const used = new Set(asked.map(([, { index }]) => index));
  const idle = indexes.filter(
    ({ name, uniqueFor, expireAfterSeconds }) =>
      !used.has(name) && uniqueFor === undefined && expireAfterSeconds === undefined,
  );
  expect(idle).toEqual([]);
});

test('the store asks through the table only: nothing else takes hold of a collection of records', () => {
  const folder = join(import.meta.dirname, '../../../src/storage/mongo');
  const files = globSync('*.ts', { cwd: folder });
  expect(files.length).toBeGreaterThan(20);
  const direct = files.filter((file) =>
    /\.collection[<(]|\b(filter|\$match)\b: \{/.test(readFileSync(join(folder, file), 'utf8')),
  );
  // The state is one document by its id; the schema is applied, and an import is run, before anybody asks.
  expect(direct.toSorted()).toEqual([
    'apply-schema.ts',
    'database.ts',
    'import-state.ts',
    'lease.ts',
    'migrate.ts',
    'open-transfer-target.ts',
    'queries.ts',
  ]);
});

describeWithMongo('the queries on MongoDB', (server) => {
  test('each uses its index and reads no collection, where the server explains', async (context) => {
    const place = await createMongoPlace(server());
    const client = await MongoClient.connect(place.location, clientOptions(defaultTimeouts));
    try {
      const database = client.db();
      await migrate(database, { now: Date.now });
      if (!(await explains(client))) {
        console.warn(`skipped: ${server().version} does not explain queries`);
        return context.skip('the server does not explain queries');
      }
      for (const [name, query] of asked) {
        const { collection, filter, sort, limit, skip, index } = query;
        const explain = async (hint?: string): Promise<Document[]> => {
          const find = { find: collection, filter, sort, limit, skip, hint };
          const plan = await database.command({ explain: find, verbosity: 'queryPlanner' });
          return stagesOf(plan.queryPlanner.winningPlan);
        };
        const scans = [...(await explain()), ...(await explain(index))].filter(
          ({ stage }) => stage === 'COLLSCAN' || stage === 'SORT',
        );
        expect([name, scans]).toEqual([name, []]);
      }
    } finally {
      await client.close();
      await place.remove();
    }
  });
});

async function explains(client: MongoClient): Promise<boolean> {
  try {
    await client.db().command({ explain: { find: 'users', filter: {} }, verbosity: 'queryPlanner' });
    return true;
  } catch (error) {
    const commandNotFound = 59;
    if (error instanceof MongoServerError && error.code === commandNotFound) return false;
    throw error;
  }
}

function stagesOf(plan: Document | undefined): Document[] {
  if (plan === undefined) return [];
  const inner = plan.queryPlan ?? plan.inputStage;
  return [plan, ...stagesOf(inner), ...(plan.inputStages ?? []).flatMap(stagesOf)];
}
