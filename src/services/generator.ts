import type { ImageAsset } from '../domain/documents/common.ts';
import { documentFilename } from '../domain/documents/filename.ts';
import type { DocumentFormat, SpecByFormat } from '../domain/documents/formats.ts';
import { type EngineName, ServiceError } from '../domain/errors.ts';
import { createId } from '../domain/id.ts';
import type { Clock } from '../ports/clock.ts';
import { type ImageSource, imageFailure } from '../ports/image-source.ts';
import type { Random } from '../ports/random.ts';
import type { RenderedDocument, Renderer, RenderInput, RenderJob } from '../ports/renderer.ts';

/** A spec ready to be made, with the pictures that it asks for. */
export interface DocumentOrder<Format extends DocumentFormat> {
  readonly engine: EngineName;
  readonly format: Format;
  readonly spec: SpecByFormat[Format];
  /** As the caller gave it. */
  readonly filename: string | undefined;
  readonly images: readonly { readonly asset: string; readonly src: string; readonly pointer: string }[];
}

export interface GeneratedDocument extends RenderedDocument {
  /** UUID, fresh for each file. */
  readonly id: string;
  /** Cleaned, at most 80 characters, with the format's extension. */
  readonly filename: string;
}

export interface GeneratorService {
  /**
   * Makes a document: pictures are checked and fetched first, then the engine runs.
   *
   * @throws `unsafe_image_ref`, `spec_invalid`, `engine_returned_empty`, `internal_error`
   */
  generate<Format extends DocumentFormat>(
    order: DocumentOrder<Format>,
    signal: AbortSignal,
  ): Promise<GeneratedDocument>;
}

export function createGeneratorService(deps: {
  readonly renderer: Renderer;
  readonly imageSource: ImageSource;
  readonly clock: Clock;
  readonly random: Random;
}): GeneratorService {
  return {
    async generate(order, signal) {
      const createdAtMs = deps.clock.now();
      const images = await resolveImages(deps.imageSource, order, signal);
      const input: RenderInput<typeof order.spec> = { spec: order.spec, images, createdAtMs };
      const { bytes, warnings } = await deps.renderer.render(
        { format: order.format, ...input } as RenderJob,
        signal,
      );
      if (bytes.byteLength === 0) throw new ServiceError('engine_returned_empty');
      const filename = documentFilename(order.filename, order.engine, createdAtMs);
      return { id: createId(createdAtMs, deps.random.bytes(10)), filename, bytes, warnings };
    },
  };
}

/** Resolves each distinct reference once, all at the same time; the first fault in the order of the spec wins. */
async function resolveImages(
  source: ImageSource,
  { engine, images }: Pick<DocumentOrder<DocumentFormat>, 'engine' | 'images'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ImageAsset>> {
  const pending = new Map<string, Promise<ImageAsset>>();
  for (const { src } of images) {
    if (!pending.has(src)) pending.set(src, source.resolve(src, signal));
  }
  const settled = await Promise.allSettled(images.map(({ src }) => pending.get(src)));
  const assets = new Map<string, ImageAsset>();
  for (const [index, outcome] of settled.entries()) {
    const { asset, pointer } = images[index] as (typeof images)[number];
    if (outcome.status === 'rejected') throw imageFailure(outcome.reason, engine, pointer);
    assets.set(asset, outcome.value as ImageAsset);
  }
  return assets;
}
