import { isMarkedAsUntransferable, threadId } from 'node:worker_threads';
import { transferableSymbol, valueSymbol } from 'piscina';
import type { DocumentFormat, SpecByFormat } from '../../domain/documents/formats.ts';
import { toServiceError } from '../../domain/errors.ts';
import type { RenderedDocument, RenderInput } from '../../ports/renderer.ts';
import { type AnswerMessage, type JobMessage, progress, toFailureMessage } from './messages.ts';
import { decodeSpec } from './spec-codec.ts';

/** How each engine is loaded, so that a worker holds in memory what it has been asked for. */
export type Engines = {
  readonly [Format in DocumentFormat]: () => Promise<
    (input: RenderInput<SpecByFormat[Format]>) => Promise<RenderedDocument>
  >;
};

/** Returns the handler of a worker thread: it renders one job with its engine and answers; it does not throw. */
export function serve(engines: Engines): (job: JobMessage) => Promise<AnswerMessage> {
  return async (job) => {
    Atomics.store(job.progress, progress.threadId, threadId);
    try {
      const render = await engines[job.format]();
      const spec = decodeSpec(job.spec);
      release(job.spec);
      Atomics.store(job.progress, progress.isRendering, 1);
      Atomics.notify(job.progress, progress.isRendering);
      const document = await render({
        spec: spec as never,
        images: job.images,
        createdAtMs: job.createdAtMs,
      });
      return handOver(document);
    } catch (error) {
      return { failure: toFailureMessage(toServiceError(error)) };
    }
  };
}

/** Gives the memory of chunks back at once: it is not this thread's own, and a collection may be long in coming. */
function release(chunks: readonly Uint8Array[]): void {
  for (const { buffer } of chunks) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Marks the bytes for transfer. Memory that is shared with other buffers, or not ours to give, is copied first. */
function handOver({ bytes, warnings }: RenderedDocument): AnswerMessage {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength;
  const own = isWhole && !isMarkedAsUntransferable(buffer) ? new Uint8Array(buffer) : new Uint8Array(bytes);
  const value: RenderedDocument = { bytes: own, warnings };
  return Object.assign(value, { [transferableSymbol]: own.buffer, [valueSymbol]: { bytes: own, warnings } });
}
