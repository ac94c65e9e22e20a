import { expect, test } from 'vitest';
import { acceptsEventStream } from '../../../src/http/rest/choose-target.ts';

test.for([
  ['text/event-stream', true],
  ['Text/Event-Stream', true],
  ['application/json, text/event-stream;q=0.1', true],
  ['text/event-stream; charset=utf-8; q=1', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream; q=0.000', false],
  ['text/event-stream;q=x', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json', false],
  ['text/event-streams', false],
  ['', false],
] as const)('Accept: %s selects the stream: %s', ([accept, expected]) => {
  expect(acceptsEventStream(accept)).toBe(expected);
});
