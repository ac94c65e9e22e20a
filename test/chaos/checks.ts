import type { Document } from 'mongodb';
import { limits } from '../../src/domain/limits.ts';
import type { Tally } from './client.ts';
import { contextTokens } from './cluster.ts';
import type { Generation } from './model-server.ts';
import type { ClientRecords } from './records.ts';

/** A stretch of time in which a process could not finish what it had begun. */
export interface Trouble {
  /** The start of the process; undefined: every process. */
  readonly incarnation: string | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Evidence {
  readonly records: ClientRecords;
  readonly generations: readonly Generation[];
  readonly troubles: readonly Trouble[];
  /** All of them, as the database has them. */
  readonly runs: readonly Document[];
  readonly turns: readonly Document[];
  /** What the ledger says is used, by account. */
  readonly used: ReadonlyMap<string, number>;
  /** Who pays for a generation. */
  readonly accountOf: (generation: Generation) => string;
}

/** How long after its generation a turn's commit may take on a machine that is busy with starting processes. */
const commitMs = 5_000;

/** Whether the process that had the generation died, or had no store, before it could commit what came of it. */
export function isExplained({ incarnation, endedMs = 0 }: Generation, troubles: readonly Trouble[]): boolean {
  return troubles.some(
    (trouble) =>
      (trouble.incarnation === undefined || trouble.incarnation === incarnation) &&
      trouble.fromMs <= endedMs + commitMs &&
      endedMs <= trouble.untilMs,
  );
}

/** Whether a run was given up for its workers, as many as an agent's limit says, which died while it was there. */
function isGivenUp(
  { status, error, queuedAtMs, finishedAtMs }: Document,
  troubles: readonly Trouble[],
): boolean {
  const { attempts } = limits.agent;
  if (status !== 'failed' || error !== `The run was interrupted ${attempts} times.`) return false;
  const deaths = troubles.filter(
    ({ incarnation, fromMs }) =>
      incarnation?.startsWith('worker') === true && queuedAtMs <= fromMs && fromMs <= finishedAtMs,
  );
  return deaths.length >= attempts;
}

/** Every accepted run and trigger is on record, once, and has ended well, was skipped, or was given up by its limit. */
export function checkRuns({ records, runs, troubles }: Evidence, tally: Tally): void {
  const byId = new Map(runs.map((run) => [String(run._id), run]));
  for (const [id, agentId] of records.runs) {
    if (byId.get(id)?.agentId !== agentId) tally.violated(`run ${id} was accepted and is lost`);
  }
  for (const run of runs) {
    const isFine =
      run.status === 'succeeded' ||
      (run.status === 'skipped' && run.skipReason === 'already_running') ||
      isGivenUp(run, troubles);
    if (!isFine) tally.violated(`run ${run._id}: ${run.status} ${run.skipReason ?? run.error}`);
  }
  for (const [agentId, { accepted, unknown }] of records.triggers) {
    const count = runs.filter((run) => run.agentId === agentId && run.triggerType === 'webhook').length;
    if (count < accepted || count > accepted + unknown) {
      tally.violated(`agent ${agentId}: ${accepted} triggers accepted, ${unknown} unknown, ${count} runs`);
    }
  }
}

/** Every keyed chat has one answer, and whatever was generated for it besides was lost with its process. */
export function checkKeyed({ records, generations, turns, troubles }: Evidence, tally: Tally): void {
  for (const [marker, { answers }] of records.keyed) {
    if (answers.size !== 1) tally.violated(`${marker}: ${answers.size} answers: ${[...answers].join(' | ')}`);
  }
  const complete = generations.filter(({ isComplete, marker }) => isComplete && /^[kw]\d/.test(marker));
  const kept = new Set(turns.map(generationOf));
  for (const [marker, all] of Map.groupBy(complete, (each) => each.marker)) {
    const lost = all.filter(({ name }) => !kept.has(name));
    if (all.length - lost.length > 1)
      tally.violated(`${marker}: ${all.length - lost.length} answers are kept`);
    for (const generation of lost) {
      if (!isExplained(generation, troubles)) {
        tally.violated(
          `${marker}: ${generation.name} of ${generation.incarnation} was complete and is not kept`,
        );
      }
    }
  }
}

/** Each account paid what the model server reported for its kept turns, once, and for others at most what they used. */
export function checkBills({ turns, generations, troubles, used, accountOf }: Evidence, tally: Tally): void {
  // A turn that was cut short and could not be kept is paid for as the service counted it.
  const storeTroubles = troubles.filter(({ incarnation }) => incarnation === undefined);
  const byName = new Map(generations.map((generation) => [generation.name, generation]));
  const names = turns.map(generationOf);
  const kept = new Set(names);
  if (kept.size !== names.length) tally.violated('a generation is the answer of two turns');
  for (const [index, turn] of turns.entries()) {
    const generation = byName.get(names[index] ?? '');
    if (generation === undefined) tally.violated(`turn ${turn._id} has an answer that is ${names[index]}`);
    const tokens = sum(turn.charges.map(tokensOf));
    if (generation !== undefined && isReported(generation) && tokens !== generation.tokens) {
      tally.violated(`turn ${turn._id}: ${tokens} billed, ${generation.tokens} reported`);
    }
  }
  for (const [account, tokens] of used) {
    const own = turns.filter(({ accountId }) => accountId === account);
    const ofTurns = sum(own.map(({ charges }) => sum(charges.map(tokensOf))));
    const lost = generations.filter((each) => !kept.has(each.name) && accountOf(each) === account);
    const complete = lost.filter(isReported);
    const cut = lost.filter((each) => !isReported(each) && isExplained(each, storeTroubles));
    if (!isSumOfSome(tokens - ofTurns, complete.map(tokensOf), cut.length * contextTokens)) {
      const besides = lost.map(({ name, isComplete, tokens: own }) => `${name} ${isComplete ? own : 'cut'}`);
      tally.violated(`${account}: ${tokens} used, ${ofTurns} by kept turns; not kept: ${besides.join(', ')}`);
    }
  }
}

/** Whether the service came to know what was reported: a client that leaves may do so at the last moment. */
function isReported({ isComplete, marker }: Generation): boolean {
  return isComplete && !marker.startsWith('l');
}

/** In each hour the accepted calls have different numbers up to the limit, and none is missing that no client lost. */
export function checkHours({ hours }: ClientRecords, lost: number, tally: Tally): void {
  for (const [name, { limit, numbers, refused }] of hours) {
    const different = new Set(numbers);
    if (different.size !== numbers.length) tally.violated(`${name}: a number was given twice`);
    if (Math.max(...numbers) > limit) tally.violated(`${name}: ${Math.max(...numbers)} calls of ${limit}`);
    if (refused > 0 && different.size + lost < limit) {
      tally.violated(`${name}: refused after ${different.size} calls of ${limit}, ${lost} lost`);
    }
  }
}

/** Every turn is the question and its answer, side by side, and none that was answered is missing. */
export function checkConversation(
  { name, answered }: ClientRecords['conversations'][number],
  messages: readonly { readonly id: number; readonly role: string; readonly content: string }[],
  tally: Tally,
): void {
  const kept: string[] = [];
  for (const [index, { id, role, content }] of messages.entries()) {
    const isQuestion = index % 2 === 0;
    const marker = /for (\w+)/.exec(content)?.[1] ?? '';
    if (id !== index + 1) tally.violated(`${name}: message ${index + 1} has the id ${id}`);
    if (role !== (isQuestion ? 'user' : 'assistant')) tally.violated(`${name}: message ${id} is of ${role}`);
    if (isQuestion) kept.push(marker);
    else if (marker !== kept.at(-1))
      tally.violated(`${name}: message ${id} answers ${marker}, not ${kept.at(-1)}`);
  }
  if (new Set(kept).size !== kept.length) tally.violated(`${name}: a turn is kept twice`);
  for (const marker of answered) {
    if (!kept.includes(marker)) tally.violated(`${name}: ${marker} was answered and is lost`);
  }
}

/** The generation that a committed turn's answer came from. */
function generationOf({ entryMessages, answer }: Document): string {
  const text = entryMessages?.at(-1)?.content ?? (answer === null ? '' : JSON.parse(answer).content);
  return /^(g\d+) for/.exec(text)?.[1] ?? `none of ${text}`;
}

function tokensOf({ tokens }: { readonly tokens?: number }): number {
  return Number(tokens);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Whether some of the parts, each taken once at the most, come to the total, or to up to `slack` less. */
function isSumOfSome(total: number, parts: readonly number[], slack: number): boolean {
  let sums = new Set([0]);
  for (const part of parts) {
    const longer = [...sums].map((each) => each + part).filter((each) => each <= total);
    sums = new Set([...sums, ...longer]);
  }
  return [...sums].some((each) => each <= total && total - each <= slack);
}
