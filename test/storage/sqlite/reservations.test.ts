import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReservations, type Reservation } from '../../../src/storage/sqlite/reservations.ts';

test('what is in flight is the sum of the live reservations, whatever the clock does', () => {
  const step = fc.record({
    id: fc.integer({ min: 0, max: 8 }).map(String),
    apiKeyId: fc.constantFrom('a', 'b'),
    tokens: fc.nat(100),
    leaseMs: fc.integer({ min: -5, max: 30 }),
    passes: fc.oneof(fc.nat(3), fc.integer({ min: -10, max: 30 })),
    deletes: fc.integer({ min: 0, max: 3 }).map((die) => die === 0),
    looks: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const reservations = createReservations([]);
      const model = new Map<string, Reservation>();
      let nowMs = 1_000;
      for (const { id, apiKeyId, tokens, leaseMs, passes, deletes, looks } of steps) {
        nowMs += passes;
        if (deletes) {
          reservations.delete(id);
          model.delete(id);
        } else {
          const reservation = { apiKeyId, tokens, leaseEndsAtMs: nowMs + leaseMs };
          reservations.set(id, reservation);
          model.set(id, reservation);
        }
        expect(reservations.get(id)).toEqual(model.get(id));
        if (looks) expect(reservations.inFlight(apiKeyId, nowMs)).toEqual(inFlight(model, apiKeyId, nowMs));
      }
    }),
    { numRuns: 1_000 },
  );
});

function inFlight(model: ReadonlyMap<string, Reservation>, apiKeyId: string, nowMs: number) {
  const live = [...model.values()].filter(({ leaseEndsAtMs }) => leaseEndsAtMs > nowMs);
  const sum = (of: readonly Reservation[]) => of.reduce((total, { tokens }) => total + tokens, 0);
  return { key: sum(live.filter((reservation) => reservation.apiKeyId === apiKeyId)), pool: sum(live) };
}
