import type { ConnectionTester } from '../ports/connection-tester.ts';
import { isSqlConnection, sqlConnectionTester } from '../tools/sql/sql-connection-tester.ts';
import { createSystemConnectionTester } from '../tools/system-connection-tester.ts';
import type { Systems } from './systems.ts';

/** Tries a connection with the tools of its kind. */
export function createConnectionTester(systems: Systems): ConnectionTester {
  const systemTester = createSystemConnectionTester(systems);
  return {
    test: (connection, settings) =>
      (isSqlConnection(connection) ? sqlConnectionTester : systemTester).test(connection, settings),
  };
}
