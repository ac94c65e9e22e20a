import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { cycleStartMs } from '../../src/domain/budget-cycle.ts';
import { isFinal } from '../../src/domain/run.ts';
import type { RunStatus } from '../../src/domain/run-status.ts';
import type { Balance } from '../../src/ports/ledger.ts';
import type { Store } from '../../src/ports/store.ts';
import type { Tally } from './client.ts';
import type { Ground } from './ground.ts';
import type { HeldKey } from './house.ts';

const betweenLooksMs = 1_000;

/**
 * Looks at the records again and again: what must hold at every moment, whoever has just died. Resolves to how often it
 * could look.
 */
export async function watchRecords(
  { store, database, keys }: Ground,
  tally: Tally,
  isOver: () => boolean,
): Promise<number> {
  const ended = new Map<string, string>();
  let looks = 0;
  while (!isOver()) {
    try {
      await watchBudgets(store, [...keys.budgets, keys.keyed, keys.talking], tally);
      await watchRuns(database, ended, tally);
      looks += 1;
    } catch {
      // The store is away.
    }
    await sleep(betweenLooksMs);
  }
  return looks;
}

/** Returns what an account of the organization has used and holds. */
export async function readBalance(store: Store, accountId: string): Promise<Balance> {
  const nowMs = Date.now();
  const { key } = await store.ledger.read({
    organizationId: 'org',
    apiKeyId: accountId,
    cycleStartMs: cycleStartMs(nowMs, 1),
    nowMs,
  });
  return key;
}

async function watchBudgets(store: Store, keys: readonly HeldKey[], tally: Tally): Promise<void> {
  for (const { id, tokenBudget } of keys) {
    const { used, inFlight } = await readBalance(store, id);
    if (tokenBudget === null || used + inFlight <= tokenBudget) continue;
    tally.violated(`${id}: ${used} used and ${inFlight} in flight of ${tokenBudget}`);
  }
}

async function watchRuns(database: Db, ended: Map<string, string>, tally: Tally): Promise<void> {
  const projection = { agentId: 1, status: 1, finishedAtMs: 1, revision: 1 };
  const runs = await database.collection('runs').find({}, { projection }).toArray();
  const active = runs.filter(isActive);
  for (const [agentId, ofAgent] of Map.groupBy(active, (run) => run.agentId)) {
    // A look is no snapshot: of two, one may have ended meanwhile.
    if (ofAgent.length > 1 && (await areActive(database, ofAgent))) {
      tally.violated(`agent ${agentId} has ${ofAgent.length} runs at once`);
    }
  }
  for (const { _id, status, finishedAtMs } of runs) {
    const end = `${status} ${finishedAtMs}`;
    const before = ended.get(String(_id));
    if (before !== undefined && before !== end) tally.violated(`run ${_id} was ${before} and is ${end}`);
    if (isFinal({ status: status as RunStatus })) ended.set(String(_id), end);
  }
}

async function areActive(database: Db, runs: readonly Document[]): Promise<boolean> {
  for (let look = 0; look < 3; look += 1) {
    const again = await database
      .collection('runs')
      .find({ _id: { $in: runs.map(({ _id }) => _id) } })
      .toArray();
    if (again.filter(isActive).length < 2) return false;
  }
  return true;
}

function isActive({ status }: Document): boolean {
  return !isFinal({ status: status as RunStatus });
}
