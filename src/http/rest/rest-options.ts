import type { HandlerContext } from '@connectrpc/connect';
import type { Invoker } from '../invoke.ts';
import type { BodyLimits } from '../request-body.ts';

export interface RestLimits extends BodyLimits {
  /** How long a client may take nothing of an answer before it is cut off. */
  readonly stalledWriteMs: number;
  /** Between two comment lines of an event stream. */
  readonly heartbeatMs: number;
}

export interface RestOptions {
  readonly gate: (context: HandlerContext) => Promise<void>;
  readonly invoker: Invoker;
  readonly limits: RestLimits;
  readonly errorsBase: string;
  /** Calls under way, each by the function that ends it. */
  readonly openCalls: Set<(reason: Error) => void>;
}
