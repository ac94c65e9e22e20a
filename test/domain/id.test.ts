import { expect, test } from 'vitest';
import { createId } from '../../src/domain/id.ts';

test('an id is the UUID of version 7 of RFC 9562, appendix A.6', () => {
  const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
  expect(createId(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
});

test('ids sort by the time at which they were made', () => {
  const random = new Uint8Array(10);
  const ids = [1, 255, 256, 65_536, 2 ** 32, Date.UTC(2026, 0), Date.UTC(2040, 0)].map((ms) =>
    createId(ms, random),
  );
  expect(ids).toEqual(ids.toSorted());
});
