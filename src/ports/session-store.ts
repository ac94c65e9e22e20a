import type { Session } from '../domain/session.ts';

/**
 * The sessions of signed-in users.
 *
 * Invariants:
 * - A session that was deleted stays so: nothing but `create` brings one about.
 * - `lastUsedAtMs` only grows, in whichever order uses are noted.
 * - `deleteOfUser` and `forgetExpired` delete one session after the other, each in one step; repeated after a failure
 *   they delete the rest. A session that is created while they run may stay.
 */
export interface SessionStore {
  /** @throws StoreConflict when the id is taken. */
  create(session: Session): Promise<void>;
  get(id: string): Promise<Session | undefined>;
  /** Notes a use; nothing when there is no such session or a later use was noted. */
  touch(id: string, usedAtMs: number): Promise<void>;
  /** False when there was none. */
  delete(id: string): Promise<boolean>;
  /** Deletes all of a user's sessions but the newest `keep`. */
  deleteOfUser(userId: string, keep: number): Promise<void>;
  /** Deletes those whose `expiresAtMs` is at or before the time. */
  forgetExpired(nowMs: number): Promise<void>;
}
