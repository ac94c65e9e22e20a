import { fromConnectError } from '../rpc/connect-error.ts';
import { type Call, failureKey } from './call.ts';
import { type CallRecord, type CallWatch, outcomeOf, type WatchCall } from './call-watch.ts';
import type { GrpcCallHead, GrpcCallWatch } from './grpc/grpc-door.ts';
import { statusOf } from './problem.ts';

export interface FollowerOptions {
  /** Told of every call when its answer has ended. */
  readonly log?: ((record: CallRecord) => void) | undefined;
  /** Follows every call from its head on. */
  readonly watch?: WatchCall | undefined;
}

/** Follows calls from their head to the end of their answer, whichever door they take. */
export interface CallFollower {
  /** Returns the watch that is to be told the call's route, and to do its work; undefined when nobody watches. */
  follow(call: Call): CallWatch | undefined;
  followGrpc(head: GrpcCallHead): GrpcCallWatch;
}

/** Returns undefined when there is nobody to tell. */
export function createCallFollower({ log, watch: watchCall }: FollowerOptions): CallFollower | undefined {
  if (log === undefined && watchCall === undefined) return undefined;

  function end(record: CallRecord, watch: CallWatch | undefined): void {
    watch?.ended(record);
    log?.(record);
  }

  return {
    follow(call) {
      const { requestId, clientAddress, method, path, req, res, values } = call;
      const startedAt = performance.now();
      const watch = watchCall?.(requestId, req.headers.traceparent as string | undefined);
      res.once('close', () => {
        const failure = values.get(failureKey);
        const outcome = outcomeOf(failure, !res.writableEnded && !call.isCut);
        const durationMs = performance.now() - startedAt;
        const ended = { requestId, clientAddress, method, path, route: call.route };
        end({ ...ended, status: res.statusCode, outcome, durationMs, failure }, watch);
      });
      return watch;
    },

    followGrpc({ requestId, clientAddress, path, route, traceParent, values }) {
      const startedAt = performance.now();
      const watch = watchCall?.(requestId, traceParent);
      watch?.routed(route);
      return {
        run: (work) => (watch === undefined ? work() : watch.run(work)),
        ended(isLeft) {
          const failure = values.get(failureKey);
          const outcome = outcomeOf(failure, isLeft);
          const durationMs = performance.now() - startedAt;
          const status = failure === undefined ? 200 : statusOf(fromConnectError(failure));
          const ended = { requestId, clientAddress, method: 'POST', path, route };
          end({ ...ended, status, outcome, durationMs, failure }, watch);
        },
      };
    },
  };
}
