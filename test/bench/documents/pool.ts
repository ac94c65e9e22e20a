import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
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
  /** Processor time of the whole process for one document, milliseconds. */
  readonly cpuMs: number;
  readonly memory: MemoryFigures;
}

/** Resident memory of the process, megabytes. */
export interface MemoryFigures {
  /** The mean of the last fifth of the warm-up. */
  readonly afterWarmUp: number;
  /** After every hundred documents, or every tenth part of fewer. */
  readonly samples: readonly number[];
  /** The mean of the last fifth of the samples. */
  readonly atTheEnd: number;
  readonly afterIdle: number;
  /** `atTheEnd` by `afterWarmUp`. */
  readonly ratio: number;
}

/** How long the pool rests before the last look at its memory. */
const idleMs = 5_000;

/**
 * Renders a mixed load of all formats, `threads * 2` at a time: one large document (3,000 rows) for nine small ones.
 * Half as many documents go before, at most 1,000, so that every heap has met the load it is measured under.
 */
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
  const warmUp = await runLoad(warmUpDocuments(documents));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  delay.enable();
  const { latencies, samples } = await runLoad(documents);
  delay.disable();
  const seconds = (performance.now() - start) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  if (documents >= 1_000) await setTimeout(idleMs);
  const memory = memoryFigures(warmUp.samples, samples);
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
    cpuMs: round((cpu.user + cpu.system) / 1_000 / documents),
    memory,
  };

  async function runLoad(count: number) {
    const latencies: number[] = [];
    const samples: number[] = [];
    const sampleEvery = Math.min(100, Math.ceil(count / 10));
    let next = 0;
    const caller = async () => {
      for (let index = next++; index < count; index = next++) {
        const job = (index % 10 === 9 ? large : small)[Math.floor(index * 1.1) % 4];
        if (job !== undefined) latencies.push(await timed(() => pool.render(job)));
        if ((index + 1) % sampleEvery === 0) samples.push(residentMb());
      }
    };
    await Promise.all(Array.from({ length: threads * 2 }, caller));
    return { latencies, samples };
  }
}

function warmUpDocuments(documents: number): number {
  return Math.min(1_000, Math.ceil(documents / 2));
}

function memoryFigures(warmUp: readonly number[], samples: readonly number[]): MemoryFigures {
  const afterWarmUp = level(warmUp);
  const atTheEnd = level(samples);
  return {
    afterWarmUp,
    samples,
    atTheEnd,
    afterIdle: residentMb(),
    ratio: Math.round((atTheEnd / afterWarmUp) * 100) / 100,
  };
}

/** The mean of the last fifth, one figure at least. */
function level(samples: readonly number[]): number {
  const last = samples.slice(-Math.ceil(samples.length / 5));
  return Math.round(last.reduce((sum, value) => sum + value, 0) / last.length);
}

function residentMb(): number {
  return Math.round(process.memoryUsage.rss() / 1_048_576);
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

if (import.meta.main) {
  const figures = await measurePool(Number(process.argv[2] ?? 2_000), Number(process.argv[3] ?? 2));
  console.log(figures);
  const { afterWarmUp, atTheEnd, afterIdle, ratio } = figures.memory;
  console.log(
    `Memory: ${afterWarmUp} MB after a warm-up of ${warmUpDocuments(figures.documents)} documents, ` +
      `${atTheEnd} MB after ${figures.documents} more ` +
      `(${ratio} times), ${afterIdle} MB after ${idleMs / 1_000} s of rest.`,
  );
}
