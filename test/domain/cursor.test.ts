import { expect, test } from 'vitest';
import { formatCursor, parseCursor } from '../../src/domain/cursor.ts';

test('a cursor gives back its position', () => {
  const position = { createdAtMs: 1_767_225_600_000, id: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f' };
  expect(parseCursor(formatCursor(position))).toEqual(position);
});

test.for([
  '',
  'x',
  'AAAA',
  Buffer.from("1.a' OR 1").toString('base64url'),
  Buffer.from('-1.a').toString('base64url'),
])('text that is no cursor is an invalid request: %j', (text) => {
  expect(() => parseCursor(text)).toThrow(expect.objectContaining({ slug: 'invalid_request' }));
});
