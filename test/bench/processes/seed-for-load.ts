import type { Store } from '../../../src/ports/store.ts';
import { seed } from '../../service/seed.ts';

/** Fills an empty store with a key whose limits no load reaches. */
export function seedForLoad(store: Store): Promise<void> {
  return seed(store, {
    apiKey: {
      scopes: ['chat', 'excel'],
      rateLimitPerHour: 1_000_000,
      tokenBudget: 1_000_000_000_000,
    },
    organization: { tokenPool: 1_000_000_000_000 },
  });
}
