import { expect } from 'vitest';
import { call } from '../wire/session-client.ts';
import {
  checkBills,
  checkConversation,
  checkHours,
  checkKeyed,
  checkRuns,
  type Evidence,
  type Trouble,
} from './checks.ts';
import { callUntil, pick, type Tally } from './client.ts';
import type { Ground } from './ground.ts';
import type { ClientRecords } from './records.ts';
import { readBalance } from './watch.ts';

/** Waits until every run has ended, every committed turn is applied, and no account holds anything. */
export async function untilSettled(ground: Ground, timeoutMs: number): Promise<void> {
  const { database, store } = ground;
  const runs = database.collection('runs');
  const turns = database.collection('turns');
  const read = async () => {
    const balances = await Promise.all(accountsOf(ground).map((id) => readBalance(store, id)));
    return {
      activeRuns: await runs.countDocuments({ status: { $in: ['queued', 'running'] } }),
      unappliedTurns: await turns.countDocuments({ status: 'committed', applied: false }),
      inFlight: balances.reduce((total, { inFlight }) => total + inFlight, 0),
    };
  };
  const nothing = { activeRuns: 0, unappliedTurns: 0, inFlight: 0 };
  await expect.poll(read, { timeout: timeoutMs, interval: 1_000 }).toEqual(nothing);
}

export async function gatherEvidence(
  ground: Ground,
  records: ClientRecords,
  troubles: readonly Trouble[],
): Promise<Evidence> {
  const { database, store, agents, models, keys } = ground;
  const used = new Map<string, number>();
  for (const id of accountsOf(ground)) used.set(id, (await readBalance(store, id)).used);
  const agentAccounts = new Map(agents.map(({ id, name }) => [name, `agent:${id}`]));
  return {
    records,
    troubles,
    used,
    generations: models.generations,
    runs: await database.collection('runs').find().toArray(),
    turns: await database.collection('turns').find({ status: 'committed' }).toArray(),
    accountOf: ({ marker, place }) =>
      agentAccounts.get(place) ??
      records.keyed.get(marker)?.keyId ??
      records.chats.get(marker) ??
      keys.talking.id,
  };
}

/** Holds what clients were told against the records, and both against what the model server did. */
export async function checkAll(ground: Ground, evidence: Evidence, tally: Tally): Promise<void> {
  const { cluster, models, keys } = ground;
  const { records, used } = evidence;
  for (const overlap of models.overlaps) tally.violated(overlap);
  checkRuns(evidence, tally);
  checkKeyed(evidence, tally);
  checkBills(evidence, tally);
  // A call whose answer was lost may have been counted, and so may one that was refused after it.
  const unknown = [...tally.counts].filter(([name]) => /^health (lost|503)/.test(name));
  checkHours(
    records,
    unknown.reduce((total, [, count]) => total + count, 0),
    tally,
  );
  const apis = cluster.of('api');
  for (const conversation of records.conversations) {
    const path = `/v1/conversations/${conversation.id}`;
    const { body } = await call(pick(apis, 0).url, 'GET', path, keys.talking.headers);
    checkConversation(conversation, body?.messages as never, tally);
  }
  for (const { id, headers } of [...keys.budgets, keys.keyed, keys.talking]) {
    const request = { kind: 'last health', method: 'GET', path: '/v1/health', headers } as const;
    const answer = await callUntil(apis, request, tally, ({ status }) => status !== 503);
    const told = Number(answer?.headers.get('x-service-budget-used'));
    if (told !== used.get(id)) {
      tally.violated(`${id}: ${told} tokens used by its health, ${used.get(id)} by the ledger`);
    }
  }
}

function accountsOf({ keys, agents }: Ground): readonly string[] {
  return [
    keys.keyed.id,
    keys.talking.id,
    ...keys.budgets.map(({ id }) => id),
    ...agents.map(({ id }) => `agent:${id}`),
  ];
}
