import { expect, test } from 'vitest';
import { logCall } from '../../src/compose/log-call.ts';
import { type CallRecord, probeRoute, unknownRoute } from '../../src/http/call-watch.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

const record: CallRecord = {
  requestId: 'r1',
  clientAddress: '::1',
  method: 'POST',
  path: '/v1/chat',
  route: { ...unknownRoute, rpc: 'a.B/C', protocol: 'grpc_web' },
  status: 200,
  outcome: 'ok',
  durationMs: 1.26,
  failure: undefined,
};
const failure = new Error('private cause');

test.for([
  ['info', 'request', {}],
  ['info', 'request', { status: 404, outcome: 'not_found', failure }],
  ['info', 'request', { outcome: 'cancelled', failure }],
  ['error', 'request failed', { outcome: 'internal_error', failure }],
  ['error', 'request failed', { status: 503, outcome: 'entitlement_check_failed', failure }],
  ['debug', 'probe', { route: probeRoute, status: 503 }],
] as const)('a call is logged as %s "%s" when it ended with %j', ([level, msg, end]) => {
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line) => void lines.push(line) });
  logCall(logger, { ...record, ...end });
  const line = JSON.parse(lines[0] ?? '');
  expect(line).toMatchObject({ level, msg, requestId: 'r1', durationMs: 1.3 });
  expect(line.err?.message).toBe(level === 'error' ? 'private cause' : undefined);
});
