import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ImageAsset } from '../../domain/documents/common.ts';
import type { DocumentFormat } from '../../domain/documents/formats.ts';
import { type EngineName, ServiceError, specInvalid } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { RenderedDocument, Renderer, RenderJob } from '../../ports/renderer.ts';
import { createLimiter } from '../limiter.ts';
import { type AnswerMessage, fromFailureMessage, type JobMessage, progress } from './messages.ts';
import { encodeSpec } from './spec-codec.ts';
import { watchMemory, watchTime } from './watch.ts';

export interface DocumentPoolOptions {
  /** Hears of a worker that fails outside a job. */
  readonly onWorkerFault: (error: unknown) => void;
  /** Default: one for each processor, at most 8. */
  readonly threads?: number;
  /** Jobs that may wait for a thread; default 100. */
  readonly queueJobs?: number;
  /** How long a job may wait for a thread; default 20 s. */
  readonly queueTimeoutMs?: number;
  /** Time of one document in its engine; default `limits.document.renderTimeoutMs`. */
  readonly renderTimeoutMs?: number;
  /** JavaScript heap of one thread; default 512. */
  readonly heapMegabytes?: number;
  /** Heap and buffers of one thread together; default 1,024. */
  readonly memoryMegabytes?: number;
  /** Engines that every thread loads and tries at its start, so that the first document does not wait; default all. */
  readonly preload?: readonly DocumentFormat[];
  /** What the threads run; default: the four engines. */
  readonly workerFile?: URL;
}

/**
 * V8 grows the young generation of a busy thread up to 96 MB and never gives it back while work comes in. With half of
 * that a thread keeps to its level, and takes no more processor time.
 */
const maxYoungGenerationSizeMb = 48;

const engineOf = {
  xlsx: 'excel',
  pdf: 'pdf',
  pptx: 'pptx',
  docx: 'docx',
} as const satisfies Record<DocumentFormat, EngineName>;

/**
 * Returns a renderer that runs the engines in worker threads, one job at a time in each.
 *
 * A thread that takes longer or holds more memory than one document may is ended and replaced, and no other job
 * notices. When that happens while the engine works on the spec, the spec is to blame: `spec_invalid`. Before that, and
 * when the thread dies in any other way, it is `internal_error`; so it is for a job that finds the queue full or waits
 * in it for too long. Threads get no environment variables.
 */
export function createDocumentPool(
  options: DocumentPoolOptions,
): Renderer & { /** Jobs that wait for a thread. */ readonly waiting: number } {
  const threads = options.threads ?? Math.min(8, availableParallelism());
  const queueJobs = options.queueJobs ?? 100;
  const queueTimeoutMs = options.queueTimeoutMs ?? 20_000;
  const renderTimeoutMs = options.renderTimeoutMs ?? limits.document.renderTimeoutMs;
  const memoryBytes = (options.memoryMegabytes ?? 1_024) * 1_048_576;
  const pool = new Piscina({
    filename: fileURLToPath(options.workerFile ?? new URL('render-worker.ts', import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
    // Between jobs a thread returns to its event loop, where an engine's leftovers can end.
    atomics: 'disabled',
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: options.heapMegabytes ?? 512, maxYoungGenerationSizeMb },
    workerData: { preload: options.preload ?? Object.keys(engineOf) },
  });
  pool.on('error', options.onWorkerFault);
  const places = createLimiter(threads);
  const closing = new AbortController();

  async function run(job: RenderJob): Promise<RenderedDocument> {
    const shared = new Int32Array(new SharedArrayBuffer(progress.fields * Int32Array.BYTES_PER_ELEMENT));
    const { message, transferList } = await pack(job, shared);
    closing.signal.throwIfAborted();
    const kill = new AbortController();
    const tooMuchTime = `took longer than ${renderTimeoutMs / 1_000} s`;
    const stopClock = watchTime(shared, renderTimeoutMs, () => kill.abort(tooMuchTime));
    const stopWatching = watchMemory(
      () => pool.threads.find((thread) => thread.threadId === shared[progress.threadId]),
      memoryBytes,
      () => kill.abort(tooMuchMemory),
    );
    try {
      const answer: AnswerMessage = await pool.run(message, { transferList, signal: kill.signal });
      if ('failure' in answer) throw fromFailureMessage(answer.failure);
      if (answer.bytes.length === 0) throw new ServiceError('engine_returned_empty');
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const reason = isOutOfMemory(error) ? tooMuchMemory : kill.signal.reason;
      if (reason === undefined || Atomics.load(shared, progress.isRendering) === 0) {
        throw new ServiceError('internal_error', { cause: error });
      }
      throw specInvalid(engineOf[job.format], reason, undefined, error);
    } finally {
      stopClock();
      stopWatching();
    }
  }

  return {
    get waiting() {
      return places.waiting;
    },

    async render(job, signal) {
      signal?.throwIfAborted();
      if (places.waiting >= queueJobs) throw busy();
      const wait = boundedWait(queueTimeoutMs, signal ? [closing.signal, signal] : [closing.signal]);
      try {
        return await places.run(() => run(job), wait.signal);
      } finally {
        wait.end();
      }
    },
    async close() {
      closing.abort(new ServiceError('internal_error', { cause: new Error('the document pool is closed') }));
      await pool.destroy();
    },
  };
}

const tooMuchMemory = 'needs more memory than one document may use';

/** Copies what the caller keeps and encodes the rest, with turns of the event loop in between. */
async function pack(job: RenderJob, shared: Int32Array) {
  const spec = await encodeSpec(job.spec);
  const images = new Map<string, ImageAsset>();
  const buffers = spec.map((chunk) => chunk.buffer);
  for (const [asset, image] of job.images) {
    const bytes = new Uint8Array(image.bytes);
    images.set(asset, { ...image, bytes });
    buffers.push(bytes.buffer);
    await setImmediate();
  }
  const message: JobMessage = {
    format: job.format,
    spec,
    images,
    createdAtMs: job.createdAtMs,
    progress: shared,
  };
  return { message, transferList: buffers };
}

/**
 * A signal that aborts as busy after `timeoutMs`, or with the reason of the first of `signals` that aborts. Nothing of
 * it outlives `end`, as what `AbortSignal.timeout` and `AbortSignal.any` make would outlive a document by its timeout.
 */
function boundedWait(timeoutMs: number, signals: readonly AbortSignal[]) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(busy()), timeoutMs);
  const follow = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener('abort', follow, { once: true });
  }
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', follow);
    },
  };
}

function busy(): ServiceError {
  return new ServiceError('internal_error', {
    detail: 'Too many documents are being made at the moment; try again.',
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
