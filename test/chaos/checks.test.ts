import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import {
  checkBills,
  checkConversation,
  checkHours,
  checkKeyed,
  checkRuns,
  type Evidence,
  type Trouble,
} from './checks.ts';
import { createTally, type Tally } from './client.ts';
import type { Generation } from './model-server.ts';
import { type ClientRecords, createRecords } from './records.ts';

/** How often `check` finds fault. */
function faults(check: (tally: Tally) => void): number {
  const tally = createTally();
  check(tally);
  return tally.violations.length;
}

function aGeneration(number: number, fields: Partial<Generation> = {}): Generation {
  return {
    name: `g${number}`,
    marker: 'k1',
    place: '',
    incarnation: 'api-1#1',
    startedMs: 900,
    endedMs: 1_000,
    isComplete: true,
    tokens: 100,
    ...fields,
  };
}

/** A committed turn whose answer is a generation's. */
function aTurn(number: number, tokens = 100): Document {
  const answer = JSON.stringify({ content: `g${number} for k1. And` });
  return { _id: `turn-${number}`, accountId: 'key', charges: [{ tokens }], answer };
}

/** A keyed chat that was answered once by the first generation, and what is different. */
function evidenceOf(fields: Partial<Evidence> = {}, records: Partial<ClientRecords> = {}): Evidence {
  const keyed = new Map([['k1', { keyId: 'key', answers: new Set(['an answer']) }]]);
  return {
    records: { ...createRecords(), keyed, ...records },
    generations: [aGeneration(1)],
    troubles: [],
    runs: [],
    turns: [aTurn(1)],
    used: new Map([['key', 100]]),
    accountOf: () => 'key',
    ...fields,
  };
}

const aRun = { _id: 'run-1', agentId: 'agent-1', triggerType: 'webhook', status: 'succeeded' };
const accepted = { runs: new Map([['run-1', 'agent-1']]) };
const triggered = (accepted: number, unknown: number) => ({
  triggers: new Map([['agent-1', { accepted, unknown }]]),
});

const givenUp = {
  ...aRun,
  status: 'failed',
  error: 'The run was interrupted 5 times.',
  queuedAtMs: 1_000,
  finishedAtMs: 2_000,
};
const workersDied = (count: number, fromMs = 1_500): Trouble[] =>
  Array.from({ length: count }, (_, index) => ({
    incarnation: `worker-1#${index}`,
    fromMs,
    untilMs: fromMs,
  }));

describe('the check of runs', () => {
  test.for<readonly [string, number, Evidence]>([
    ['passes runs that ended well', 0, evidenceOf({ runs: [aRun] }, accepted)],
    ['finds one that is lost', 1, evidenceOf({}, accepted)],
    ['finds one that failed', 1, evidenceOf({ runs: [{ ...aRun, status: 'failed' }] })],
    [
      'passes one whose workers died five times',
      0,
      evidenceOf({ runs: [givenUp], troubles: workersDied(5) }),
    ],
    ['finds one given up too early', 1, evidenceOf({ runs: [givenUp], troubles: workersDied(4) })],
    [
      'finds one given up for deaths before its time',
      1,
      evidenceOf({ runs: [givenUp], troubles: workersDied(5, 900) }),
    ],
    ['finds one that has not ended', 1, evidenceOf({ runs: [{ ...aRun, status: 'queued' }] })],
    ['passes a trigger whose outcome nobody knows', 0, evidenceOf({ runs: [aRun] }, triggered(0, 1))],
    ['finds a trigger that is lost', 1, evidenceOf({ runs: [aRun] }, triggered(2, 0))],
    ['finds a trigger that was taken twice', 1, evidenceOf({ runs: [aRun] }, triggered(0, 0))],
  ])('%s', ([, count, evidence]) => {
    expect(faults((tally) => checkRuns(evidence, tally))).toBe(count);
  });
});

const died: Trouble = { incarnation: 'api-1#1', fromMs: 1_100, untilMs: 1_101 };
const twoGenerations = { generations: [aGeneration(1), aGeneration(2)], turns: [aTurn(2)] };
const twoAnswers = new Map([['k1', { keyId: 'key', answers: new Set(['one', 'another']) }]]);

describe('the check of keyed chats', () => {
  test.for<readonly [string, number, Evidence]>([
    ['passes one answer', 0, evidenceOf()],
    ['finds two answers', 1, evidenceOf({}, { keyed: twoAnswers })],
    ['finds a second run', 1, evidenceOf(twoGenerations)],
    ['passes one whose first process died', 0, evidenceOf({ ...twoGenerations, troubles: [died] })],
    [
      'finds a second run that another death does not explain',
      1,
      evidenceOf({ ...twoGenerations, troubles: [{ ...died, incarnation: 'api-2#1' }] }),
    ],
    ['finds two kept answers', 1, evidenceOf({ ...twoGenerations, turns: [aTurn(1), aTurn(2)] })],
  ])('%s', ([, count, evidence]) => {
    expect(faults((tally) => checkKeyed(evidence, tally))).toBe(count);
  });
});

const storeDied: Trouble = { ...died, incarnation: undefined };
const cut = { generations: [aGeneration(1), aGeneration(2, { isComplete: false })] };

describe('the check of bills', () => {
  test.for<readonly [string, number, Evidence]>([
    ['passes what was reported', 0, evidenceOf()],
    ['finds a turn that paid something else', 1, evidenceOf({ turns: [aTurn(1, 99)], used: new Map() })],
    ['finds a bill without a turn', 1, evidenceOf({ used: new Map([['key', 200]]) })],
    ['finds a turn that is not billed', 1, evidenceOf({ used: new Map([['key', 0]]) })],
    [
      'passes a generation that was paid and then lost',
      0,
      evidenceOf({ ...twoGenerations, used: new Map([['key', 200]]) }),
    ],
    ['finds a bill for one that was cut', 1, evidenceOf({ ...cut, used: new Map([['key', 150]]) })],
    [
      'passes one that was cut and could not be kept',
      0,
      evidenceOf({ ...cut, troubles: [storeDied], used: new Map([['key', 150]]) }),
    ],
    ['finds one that was paid twice', 1, evidenceOf({ ...twoGenerations, used: new Map([['key', 300]]) })],
    [
      'finds a generation that answers two turns',
      1,
      evidenceOf({ turns: [aTurn(1), aTurn(1, 100)], used: new Map() }),
    ],
    ['finds an answer from nowhere', 1, evidenceOf({ turns: [aTurn(7)], used: new Map() })],
  ])('%s', ([, count, evidence]) => {
    expect(faults((tally) => checkBills(evidence, tally))).toBe(count);
  });
});

describe('the check of an hour', () => {
  test.for<readonly [string, number, readonly number[], number, number]>([
    ['passes exactly the limit', 0, [1, 3, 2], 5, 0],
    ['passes fewer when nobody was refused', 0, [1, 2], 0, 0],
    ['passes a number that a client lost', 0, [1, 3], 5, 1],
    ['finds a refusal too early', 1, [1, 2], 5, 0],
    ['finds one too many', 1, [1, 2, 3, 4], 5, 0],
    ['finds a number given twice', 1, [1, 2, 2, 3], 5, 0],
  ])('%s', ([, count, numbers, refused, lost]) => {
    const hours = new Map([['hour', { keyId: 'key', limit: 3, numbers: [...numbers], refused }]]);
    expect(faults((tally) => checkHours({ ...createRecords(), hours }, lost, tally))).toBe(count);
  });
});

const said = (...contents: readonly string[]) =>
  contents.map((content, index) => ({
    id: index + 1,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  }));

describe('the check of a conversation', () => {
  test.for<readonly [string, number, ReturnType<typeof said>]>([
    ['passes questions with their answers', 0, said('for t1', 'g1 for t1', 'for t2', 'g2 for t2')],
    ['finds turns that interleave', 2, said('for t1', 'g2 for t2', 'for t2', 'g1 for t1')],
    ['finds a turn that is lost', 1, said('for t2', 'g2 for t2')],
    ['finds a turn that is kept twice', 1, said('for t1', 'g1 for t1', 'for t1', 'g2 for t1')],
    [
      'finds ids with a gap',
      1,
      said('for t1', 'g1 for t1').with(1, { id: 3, role: 'assistant', content: 'for t1' }),
    ],
    [
      'finds two questions side by side',
      1,
      said('for t1', 'for t1').with(1, { id: 2, role: 'user', content: 'for t1' }),
    ],
  ])('%s', ([, count, messages]) => {
    const conversation = { name: 'c1', id: 'id', answered: new Set(['t1']) };
    expect(faults((tally) => checkConversation(conversation, messages, tally))).toBe(count);
  });
});
