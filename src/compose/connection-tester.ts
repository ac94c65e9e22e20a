import type { ConnectionTester } from '../ports/connection-tester.ts';
import { isSqlConnection, sqlConnectionTester } from '../tools/sql/sql-connection-tester.ts';

/** Tries a connection with the tools of its kind. */
export const connectionTester: ConnectionTester = {
  async test(connection, settings) {
    if (isSqlConnection(connection)) return sqlConnectionTester.test(connection, settings);
    return { ok: false, detail: `${connection.kind} connections cannot be tested by this version` };
  },
};
