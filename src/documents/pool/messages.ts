import { inspect } from 'node:util';
import type { ImageAsset } from '../../domain/documents/common.ts';
import type { DocumentFormat } from '../../domain/documents/formats.ts';
import { type ErrorSlug, type FieldViolation, ServiceError } from '../../domain/errors.ts';
import type { RenderedDocument } from '../../ports/renderer.ts';

/** What a worker is asked; made of plain values and transferable memory. */
export interface JobMessage {
  readonly format: DocumentFormat;
  /** Of `encodeSpec`. */
  readonly spec: readonly Uint8Array[];
  readonly images: ReadonlyMap<string, ImageAsset>;
  readonly createdAtMs: number;
  /** Shared memory in which the worker says how far it is; see `progress`. */
  readonly progress: Int32Array;
}

/** The fields of the shared memory of a job. */
export const progress = {
  /** 0 until the engine itself has begun on the spec, then 1. */
  isRendering: 0,
  /** The worker's thread id, 0 until it has the job. */
  threadId: 1,
  fields: 2,
} as const;

/** What a worker answers. An Error would arrive without its class and fields. */
export type AnswerMessage = RenderedDocument | { readonly failure: FailureMessage };

export interface FailureMessage {
  readonly slug: ErrorSlug;
  readonly title: string;
  readonly detail: string | undefined;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly violations: readonly FieldViolation[];
  readonly retryAfterSeconds: number | undefined;
  readonly stack: string | undefined;
  /** The cause and its own causes as text: an error of any library may hold what cannot be cloned. */
  readonly cause: string | undefined;
}

export function toFailureMessage(error: ServiceError): FailureMessage {
  const { slug, title, detail, extra, violations, retryAfterSeconds, stack, cause } = error;
  return {
    slug,
    title,
    detail,
    extra,
    violations,
    retryAfterSeconds,
    stack,
    cause: cause === undefined ? undefined : inspect(cause),
  };
}

/** Returns the error that a worker threw, whole; its stack is the worker's. */
export function fromFailureMessage(failure: FailureMessage): ServiceError {
  const { slug, title, detail, extra, violations, retryAfterSeconds, stack, cause } = failure;
  const error = new ServiceError(slug, {
    title,
    extra,
    violations,
    cause,
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
  if (stack !== undefined) error.stack = stack;
  return error;
}
