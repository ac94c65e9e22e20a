import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createDocumentPool } from '../../../src/documents/pool/document-pool.ts';
import { jobsOf } from '../../documents/pool/mixed-jobs.ts';

export interface PoolFigures {
  readonly documents: number;
  readonly threads: number;
  readonly documentsPerSecond: number;
  /** Milliseconds. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  /** Milliseconds until every thread has warmed up. */
  readonly warmUpMs: number;
  /** Milliseconds of the first document of each format after that, in the order of `jobsOf`. */
  readonly firstMs: readonly number[];
  /** Of the thread that calls, milliseconds. */
  readonly eventLoopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Resident memory of the process after each tenth of the documents, megabytes. */
  readonly residentMb: readonly number[];
}

/** Renders a mixed load of all formats, `threads * 2` at a time: one large document (3,000 rows) for nine small ones. */
export async function measurePool(documents: number, threads: number): Promise<PoolFigures> {
  const pool = createDocumentPool({ threads, onWorkerFault: (error) => console.error(error) });
  const small = jobsOf(20);
  const large = jobsOf(3_000);
  // The last format to be warmed up, once for each thread: it comes back when the others are done.
  const warmUpMs = await timed(() =>
    Promise.all(small.slice(-1).flatMap((job) => [pool.render(job), pool.render(job)])),
  );
  const firstMs: number[] = [];
  for (const job of small) firstMs.push(await timed(() => pool.render(job)));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const latencies: number[] = [];
  const residentMb: number[] = [];
  let next = 0;
  const start = performance.now();
  delay.enable();
  const caller = async () => {
    for (let index = next++; index < documents; index = next++) {
      const job = (index % 10 === 9 ? large : small)[Math.floor(index * 1.1) % 4];
      if (job !== undefined) latencies.push(await timed(() => pool.render(job)));
      if ((index + 1) % Math.ceil(documents / 10) === 0)
        residentMb.push(megabytes(process.memoryUsage.rss()));
    }
  };
  await Promise.all(Array.from({ length: threads * 2 }, caller));
  delay.disable();
  const seconds = (performance.now() - start) / 1_000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  return {
    documents,
    threads,
    documentsPerSecond: round(documents / seconds),
    latencyMs: { p50: round(quantile(latencies, 0.5)), p99: round(quantile(latencies, 0.99)) },
    warmUpMs: round(warmUpMs),
    firstMs: firstMs.map(round),
    eventLoopDelayMs: {
      p50: round(delay.percentile(50) / 1e6),
      p99: round(delay.percentile(99) / 1e6),
      max: round(delay.max / 1e6),
    },
    residentMb,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

if (import.meta.main)
  console.log(await measurePool(Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 2)));
