import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ServiceProcess } from '../chaos/cluster.ts';
import type { Held } from './probe.ts';

/** What a process had at a time. */
export interface Sample extends Held {
  /** Since the start of the soak. */
  readonly ms: number;
  readonly rssBytes: number;
  /** Open file descriptors by kind: `socket`, `pipe`, `file`, and those that the kernel names. */
  readonly descriptors: Readonly<Record<string, number>>;
}

/** Asks a process what it holds after a collection, and the kernel for the rest. */
export async function takeSample({ pid, child }: ServiceProcess, ms: number): Promise<Sample> {
  const answered = once(child, 'message');
  child.send('sample');
  const [held] = (await answered) as [Held];
  return { ...held, ms, rssBytes: rssOf(pid), descriptors: descriptorsOf(pid) };
}

function rssOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}

function descriptorsOf(pid: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${name}`);
      const kind = target.startsWith('/')
        ? 'file'
        : target.replace(/:?\[(\w+)\]$|:\[\d+\]$/, (_, word) =>
            word && !/^\d+$/.test(word) ? ` ${word}` : '',
          );
      counts[kind] = (counts[kind] ?? 0) + 1;
    } catch {
      // Closed meanwhile.
    }
  }
  return counts;
}

export function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The growth of a value over the samples, by the straight line that fits them best (least squares). */
export function fittedGrowth(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const count = samples.length;
  const meanMs = samples.reduce((sum, { ms }) => sum + ms, 0) / count;
  const mean = samples.reduce((sum, sample) => sum + of(sample), 0) / count;
  let products = 0;
  let squares = 0;
  for (const sample of samples) {
    products += (sample.ms - meanMs) * (of(sample) - mean);
    squares += (sample.ms - meanMs) ** 2;
  }
  const spanMs = (samples.at(-1)?.ms ?? 0) - (samples[0]?.ms ?? 0);
  return squares === 0 ? 0 : (products / squares) * spanMs;
}
