import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyLedger,
  inFlightAt,
  lateSettlementMs,
  type TokenLedger,
  withReservation,
  withSettlement,
} from '../../src/domain/token-ledger.ts';

test('used tokens are the sum of the settlements, and what is neither settled nor lapsed is in flight', () => {
  const step = fc.record({
    id: fc.integer({ min: 0, max: 20 }).map(String),
    apiKeyId: fc.constantFrom('a', 'b'),
    tokens: fc.nat(100),
    settles: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let ledger: TokenLedger = emptyLedger;
      const open = new Map<string, { apiKeyId: string; tokens: number }>();
      const used = { a: 0, b: 0 };
      for (const { id, apiKeyId, tokens, settles } of steps) {
        const reservation = open.get(id);
        if (settles) {
          const settled = withSettlement(ledger, id, tokens);
          expect(settled !== undefined).toBe(reservation !== undefined);
          if (settled === undefined || reservation === undefined) continue;
          ledger = settled;
          used[reservation.apiKeyId as 'a' | 'b'] += tokens;
          open.delete(id);
        } else if (reservation === undefined) {
          ledger = withReservation(ledger, id, { apiKeyId, tokens, leaseEndsAtMs: 1_000 }, 0);
          open.set(id, { apiKeyId, tokens });
        }
      }
      expect(ledger.used).toBe(used.a + used.b);
      expect({ a: 0, b: 0, ...ledger.usedByKey }).toEqual(used);
      const live = [...open.values()].reduce((sum, { tokens }) => sum + tokens, 0);
      expect(inFlightAt(ledger, 999).pool).toBe(live);
      expect(inFlightAt(ledger, 1_000).pool).toBe(0);
    }),
  );
});

test('a reservation that nobody settled is forgotten a day after its lease', () => {
  const first = withReservation(emptyLedger, 'a', { apiKeyId: 'k', tokens: 5, leaseEndsAtMs: 100 }, 0);
  const next = { apiKeyId: 'k', tokens: 5, leaseEndsAtMs: 1e12 };
  const early = withReservation(first, 'b', next, 100 + lateSettlementMs - 1);
  const late = withReservation(first, 'b', next, 100 + lateSettlementMs);
  expect(withSettlement(early, 'a', 5)).toBeDefined();
  expect(withSettlement(late, 'a', 5)).toBeUndefined();
});

test('ids and key ids may be names of JavaScript', () => {
  const reservation = { apiKeyId: 'constructor', tokens: 5, leaseEndsAtMs: 100 };
  expect(withSettlement(emptyLedger, 'constructor', 1)).toBeUndefined();
  const settled = withSettlement(withReservation(emptyLedger, 'toString', reservation, 0), 'toString', 3);
  expect(settled).toEqual({ used: 3, usedByKey: { constructor: 3 }, reservations: {} });
});
