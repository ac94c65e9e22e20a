import { expect, test } from 'vitest';
import { describeWithMongo } from '../mongo-server.ts';
import { describeWithRedis } from '../redis-server.ts';
import { createCalamities } from './calamities.ts';
import { createTally } from './client.ts';
import { type Ground, openGround } from './ground.ts';
import {
  chatKeyed,
  chatOnBudgets,
  converse,
  isOverrun,
  type LoadParts,
  overrunHour,
  runByHand,
  runByWebhook,
} from './load.ts';
import { createRecords } from './records.ts';
import { reportOf } from './report.ts';
import { checkAll, gatherEvidence, untilSettled } from './settle.ts';
import { watchRecords } from './watch.ts';

/**
 * How long parts die, seconds; on a slow machine longer, for each process is to die at least once and at last all at
 * once. Afterwards the leases of the dead are waited for, as long as they really are: 60 s, and up to 90 s until the
 * sweep has looked.
 */
const chaosSeconds = Number(process.env.CHAOS_SECONDS ?? 25);
const settlesWithinMs = 240_000;

describeWithMongo('two API processes and two workers', (mongo) => {
  describeWithRedis('on MongoDB and Redis', (redis) => {
    test.skipIf(process.env.TEST_MONGODB_URL !== undefined)(
      'while all parts die in turn: nothing accepted is lost, done twice or billed twice, and only stated refusals are met',
      { timeout: chaosSeconds * 2_000 + 900_000 },
      async () => {
        const program = mongo().program;
        if (program === undefined) throw new Error('the server was not started by the tests');
        const urls = { mongodbUrl: mongo().url, redisUrl: redis().url };
        const ground = await openGround({ ...urls, seconds: chaosSeconds });
        let isOver = false;
        let isSettled = false;
        try {
          const { cluster, agents, session, keys } = ground;
          const tally = createTally();
          const records = createRecords();
          const calamities = createCalamities(cluster.processes);
          const startedMs = Date.now();
          const hasPassed = (share: number) => Date.now() - startedMs > chaosSeconds * 1_000 * share;
          const parts = { apis: cluster.of('api'), tally, records, session, agents, isOver: () => isOver };
          const watching = watchRecords(ground, tally, () => isSettled);
          const load = startLoad(parts, keys);

          // Redis forgets the hour's counters when it dies: a key's limit is exact before and after, not across.
          const [before, after] = keys.hourly;
          let isBefore = true;
          const overrunBefore = overrunHour(parts, before, () => isBefore);
          await calamities.killInTurn(2, () => hasPassed(0.4) && isOverrun(records, before));
          isBefore = false;
          await overrunBefore;
          await calamities.loseRedis(redis());
          let isAfter = true;
          const overrunAfter = overrunHour(parts, after, () => isAfter);
          await calamities.killInTurn(1, () => hasPassed(0.5));
          await calamities.freezeRedis(redis());
          await calamities.killInTurn(1, () => hasPassed(0.7));
          await calamities.freezeMongo(program);
          await calamities.killInTurn(1, () => hasPassed(0.9));
          await calamities.loseMongo(program);
          await calamities.killInTurn(1, () => hasPassed(1) && isOverrun(records, after));
          await calamities.killAll();
          isAfter = false;
          isOver = true;
          await Promise.all([overrunAfter, ...load]);

          await untilSettled(ground, settlesWithinMs);
          isSettled = true;
          const looks = await watching;
          const evidence = await gatherEvidence(ground, records, calamities.troubles);
          await checkAll(ground, evidence, tally);
          console.info(`${looks} looks at the records\n${reportOf(ground, evidence, calamities, tally)}`);
          expect(tally.violations).toEqual([]);
          // A load that did not get anywhere would violate nothing.
          expect(looks).toBeGreaterThan(0);
          expect(evidence.runs.some(({ status }) => status === 'succeeded')).toBe(true);
          expect(tally.counts.get('budget chat 429 budget_exhausted')).toBeGreaterThan(0);
          expect(records.conversations.length).toBeGreaterThan(0);
        } finally {
          isOver = true;
          isSettled = true;
          await ground.close();
        }
      },
    );
  });
});

function startLoad(parts: LoadParts, { keyed, talking, budgets }: Ground['keys']): readonly Promise<void>[] {
  return [
    runByHand(parts),
    runByWebhook(parts),
    chatKeyed(parts, keyed),
    chatKeyed(parts, keyed),
    chatOnBudgets(parts, budgets),
    chatOnBudgets(parts, budgets),
    converse(parts, talking),
    converse(parts, talking),
  ];
}
