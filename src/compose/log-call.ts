import { type CallRecord, isFault, probeRoute } from '../http/call-watch.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Writes the line of a call that has ended, with its private failure when the service is to blame. */
export function logCall(logger: Logger, record: CallRecord): void {
  const { failure, route, durationMs, ...rest } = record;
  const { rpc, protocol } = route;
  const line = { ...rest, rpc, protocol, durationMs: Math.round(durationMs * 10) / 10 };
  if (route === probeRoute) logger.debug(line, 'probe');
  else if (isFault(record)) logger.error({ ...line, err: failure }, 'request failed');
  else logger.info(line, 'request');
}
