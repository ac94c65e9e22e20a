import { expect, test } from 'vitest';
import { createRefusedAddresses } from '../../../src/services/admission/refused-addresses.ts';

test('an address is refused until its time, that moment excluded, and then forgotten', () => {
  const refused = createRefusedAddresses();
  refused.add('192.0.2.1', 1_000);
  expect(refused.refusedUntil('192.0.2.1', 999)).toBe(1_000);
  expect(refused.refusedUntil('192.0.2.2', 999)).toBeUndefined();
  expect(refused.refusedUntil('192.0.2.1', 1_000)).toBeUndefined();
  expect(refused.size).toBe(0);
});

test('memory is bounded: the oldest goes first, and a known one takes no further place', () => {
  const refused = createRefusedAddresses(3);
  for (const address of ['a', 'b', 'c', 'c', 'd']) refused.add(address, 1_000);
  expect(refused.size).toBe(3);
  expect(['a', 'b', 'c', 'd'].map((address) => refused.refusedUntil(address, 0))).toEqual([
    undefined,
    1_000,
    1_000,
    1_000,
  ]);
});
