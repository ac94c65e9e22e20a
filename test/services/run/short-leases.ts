import { limits } from '../../../src/domain/limits.ts';

/** Shortens the leases of this process, so that a test need not wait for those of dead processes. */
export function shortenLeases(): void {
  Object.assign(limits.agent, { runLeaseMs: 1_500, runHeartbeatMs: 100, attempts: 100 });
  Object.assign(limits.chat, { idempotencyLeaseMs: 2_000, reservationLeaseMs: 2_000 });
}
