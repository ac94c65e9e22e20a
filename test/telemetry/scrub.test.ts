import { describe, expect, test } from 'vitest';
import { scrub } from '../../src/telemetry/scrub.ts';

describe('a scrubbed text', () => {
  test.for([
    ['redis://user:HIDDEN@host:6379/0', 'redis://[redacted]@host:6379/0'],
    ['redis://user:HID@DEN@host', 'redis://[redacted]@host'],
    ['mongodb+srv://u:HIDDEN@a,b/c is away', 'mongodb+srv://[redacted]@a,b/c is away'],
    ['see https://host/@name and a@b', 'see https://host/@name and a@b'],
    ['authorization: Bearer HIDDEN.12345', 'authorization: Bearer [redacted]'],
    ['key svc_live_HIDDEN12 or sk-HIDDEN123', 'key svc_live_[redacted] or sk-[redacted]'],
  ] as const)('of %s is %s', ([text, scrubbed]) => {
    expect(scrub(text)).toBe(scrubbed);
  });

  test.for(['a.', 'a-', 'x://', 'bearer '])('comes in linear time of many %j', (part) => {
    const text = part.repeat(200_000);
    expect(scrub(text)).toBe(text);
  });
});
