import type { Turn } from '../../src/domain/turn.ts';

export const nowMs = Date.UTC(2026, 5, 15);

/** A turn at work at `nowMs`, with the fields that matter to the test. */
export function aTurn(fields: Partial<Turn> = {}): Turn {
  return {
    id: 'turn-1',
    kind: 'chat',
    organizationId: 'organization-1',
    accountId: 'key-1',
    conversation: null,
    claim: null,
    status: 'running',
    fence: 1,
    leaseEndsAtMs: nowMs + 1_000,
    holds: [],
    charges: [],
    rounds: [],
    entry: null,
    answer: null,
    applied: false,
    createdAtMs: nowMs,
    committedAtMs: null,
    ...fields,
  };
}
