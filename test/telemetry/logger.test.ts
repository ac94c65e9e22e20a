import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

function capture(): { readonly lines: string[]; readonly logger: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, logger: createLogger('trace', { write: (line) => void lines.push(line) }) };
}

describe('the log', () => {
  test('is one JSON object a line, with its time, level and message', () => {
    const { lines, logger } = capture();
    logger.info({ requestId: 'r1' }, 'request');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: 'info',
      requestId: 'r1',
      msg: 'request',
    });
    expect(lines[0]?.endsWith('\n')).toBe(true);
  });

  test('shows an error with its causes', () => {
    const { lines, logger } = capture();
    const cause = new Error('inner');
    logger.error({ err: new ServiceError('internal_error', { cause }) }, 'failed');
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      slug: 'internal_error',
      cause: { message: 'inner' },
    });
  });

  test.for([
    'authorization',
    'cookie',
    'password',
    'secret',
    'token',
    'key',
    'mongodbUrl',
    'redisUrl',
    'x-webhook-signature',
  ])('never shows the field %s', (name) => {
    const { lines, logger } = capture();
    logger.info({ [name]: 'HIDDEN', headers: { [name]: 'HIDDEN' } }, 'request');
    expect(lines.join()).not.toContain('HIDDEN');
    expect(lines).toHaveLength(1);
  });

  test.for([
    'connect failed: mongodb://user:HIDDEN@db.example.com:27017/service',
    'redis://:HIDDEN@cache:6379 refused',
    'server said: Authorization: Bearer HIDDEN-token-0123',
    'Incorrect API key provided: sk-HIDDEN12345',
    'key svc_live_HIDDEN0123456789 is unknown',
  ])('leaves credentials out of the text of an error: %s', (text) => {
    const { lines, logger } = capture();
    logger.error({ err: new Error('outer', { cause: new Error(text) }) }, 'failed');
    logger.error({ err: text }, 'failed');
    expect(lines.join()).not.toContain('HIDDEN');
    expect(lines.join()).toContain('[redacted]');
  });
});
