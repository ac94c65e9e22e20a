import type { Connection, ConnectionSettings } from '../domain/connection.ts';

/**
 * Tries a connection as the tools would use it.
 *
 * Invariants:
 * - Changes nothing on the other side.
 * - A connection that does not work is an answer, not a failure; it comes within seconds.
 * - `detail` holds no credentials and is fit for the administrator to read.
 */
export interface ConnectionTester {
  test(connection: Connection, settings: ConnectionSettings): Promise<ConnectionTestResult>;
}

export interface ConnectionTestResult {
  readonly ok: boolean;
  /** What was found, or what failed. */
  readonly detail: string;
}
