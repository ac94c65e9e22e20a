import { hash } from 'node:crypto';
import { limits } from './limits.ts';

/** Of a signed-in user. Times are Unix milliseconds. */
export interface Session {
  /** SHA-256 of the token that the user's cookie holds, hexadecimal. */
  readonly id: string;
  readonly userId: string;
  /** `passwordTag` of the password that the user signed in with: another password ends the session. */
  readonly passwordTag: string;
  readonly createdAtMs: number;
  /** To the minute. */
  readonly lastUsedAtMs: number;
  /** The latest end. */
  readonly expiresAtMs: number;
}

/** Says whether a session has reached its latest end, or was not used for too long. */
export function isExpired({ lastUsedAtMs, expiresAtMs }: Session, nowMs: number): boolean {
  return nowMs >= expiresAtMs || nowMs - lastUsedAtMs >= limits.session.idleMs;
}

/** Returns what a session keeps of its user's password: a hash of the stored hash, whose salt is fresh each time. */
export function passwordTag(passwordHash: string): string {
  return hash('sha256', passwordHash, 'hex');
}
