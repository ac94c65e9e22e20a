import type { Calamities } from './calamities.ts';
import type { Evidence } from './checks.ts';
import type { Tally } from './client.ts';
import type { Ground } from './ground.ts';

/** Says what happened, for whoever reads the test's output. */
export function reportOf(ground: Ground, evidence: Evidence, calamities: Calamities, tally: Tally): string {
  const { cluster, models, keys } = ground;
  const { runs, turns, used, records } = evidence;
  const cut = models.generations.filter(({ isComplete }) => !isComplete).length;
  const statuses = [...Map.groupBy(runs, ({ status }) => status)];
  const hours = [...records.hours].map(
    ([name, { numbers, limit, refused }]) => `${name}: ${numbers.length} of ${limit}, ${refused} refused`,
  );
  return [
    `${calamities.kills} processes killed: ${calamities.events.join(', ')}`,
    `${runs.length} runs: ${statuses.map(([status, { length }]) => `${length} ${status}`).join(', ')}`,
    `${turns.length} turns kept; ${models.generations.length} generations, ${cut} of them cut`,
    `budgets: ${keys.budgets.map(({ id, tokenBudget }) => `${used.get(id)} of ${tokenBudget}`).join(', ')}`,
    `hours: ${hours.join('; ')}`,
    `conversations: ${records.conversations.map(({ answered }) => answered.size).join(', ')} turns answered`,
    `answers, and the longest wait of each kind: ${[...tally.longestMs].map(([kind, ms]) => `${kind} ${ms} ms`).join(', ')}`,
    ...[...tally.counts].toSorted().map(([name, count]) => `  ${count} ${name}`),
    'logged as errors:',
    ...[...cluster.errors].map(([text, count]) => `  ${count} ${text}`),
  ].join('\n');
}
