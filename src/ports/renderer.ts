import type { ImageAsset } from '../domain/documents/common.ts';
import type { DocumentFormat, SpecByFormat } from '../domain/documents/formats.ts';

/**
 * Renders a checked spec to a file.
 *
 * Invariants:
 * - A spec is trusted: parsed, within the limits, its text free of characters that no format can hold.
 * - Pictures come as bytes; an engine opens no path and no address.
 * - The same input gives the same bytes.
 * - A render never blocks the caller's event loop and ends within its time limit.
 */
export interface Renderer {
  /**
   * @throws `spec_invalid` when the spec is to blame, `internal_error` when the engine or its time limit is,
   * `engine_returned_empty` when there are no bytes, and the reason of `signal` when the caller gave up. A job that
   * has begun runs to its end all the same.
   */
  render(job: RenderJob, signal?: AbortSignal): Promise<RenderedDocument>;
  /** Ends every worker; jobs under way fail. */
  close(): Promise<void>;
}

export interface RenderInput<Spec> {
  readonly spec: Spec;
  /** By the `asset` of an ImageRef. */
  readonly images: ReadonlyMap<string, ImageAsset>;
  /** The request's clock, Unix milliseconds: the only time that may reach the file. */
  readonly createdAtMs: number;
}

export type RenderJob = {
  [Format in DocumentFormat]: { readonly format: Format } & RenderInput<SpecByFormat[Format]>;
}[DocumentFormat];

export interface RenderedDocument {
  readonly bytes: Uint8Array;
  /** Short ASCII sentences for `X-Service-Warnings`, such as glyphs that no font has. */
  readonly warnings: readonly string[];
}
