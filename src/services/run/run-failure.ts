import { errorCatalogue, ServiceError } from '../../domain/errors.ts';
import { ModelFailure } from '../../ports/model.ts';

/** What a failed attempt means for its run. */
export interface RunFailure {
  /** For the owner: no internals. */
  readonly message: string;
  /** Something outside failed that may be back soon: the model server, or a store that did not answer. */
  readonly isPassing: boolean;
}

export function describeFailure(error: unknown): RunFailure {
  if (!(error instanceof ServiceError)) {
    return { message: errorCatalogue.internal_error.title, isPassing: false };
  }
  const { cause, slug, title, detail } = error;
  const { status } = errorCatalogue[slug];
  if (cause instanceof ModelFailure) {
    const isPassing = cause.kind !== 'rejected';
    return { message: `The model server failed (${cause.kind}).`, isPassing };
  }
  return { message: status >= 500 ? title : (detail ?? title), isPassing: status === 503 };
}

/** Before the second start and so on; each is shortened by up to a half, so that runs do not come back all at once. */
const backoffMs = [5_000, 20_000, 60_000, 180_000] as const;

/** @param random from 0 to 1. */
export function retryDelayMs(attempt: number, random: number): number {
  const fullMs = backoffMs[Math.min(attempt, backoffMs.length) - 1] ?? backoffMs[0];
  return Math.round(fullMs * (1 - random / 2));
}
