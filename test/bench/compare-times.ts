import type { BenchRow } from './bench-row.ts';

export interface Work {
  readonly ours: () => Promise<unknown>;
  readonly peer: () => Promise<unknown>;
}

/**
 * Times two kinds of work in turns, so that neither has the quieter moments of the machine to itself: milliseconds, the
 * lowest of the rounds' medians.
 */
export async function compareTimes(
  name: string,
  { ours, peer }: Work,
  { rounds, runs }: { readonly rounds: number; readonly runs: number },
): Promise<Omit<BenchRow, 'target'>> {
  await medianMs(ours, 5);
  await medianMs(peer, 5);
  const medians = { ours: Number.POSITIVE_INFINITY, peer: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    medians.ours = Math.min(medians.ours, await medianMs(ours, runs));
    medians.peer = Math.min(medians.peer, await medianMs(peer, runs));
  }
  return { name, ...medians, unit: 'ms', ratio: medians.peer / medians.ours };
}

async function medianMs(work: () => Promise<unknown>, runs: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}
