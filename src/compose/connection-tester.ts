import type { ConnectionTester } from '../ports/connection-tester.ts';

/** No tool that could try a connection is part of this build. */
export const untestedConnections: ConnectionTester = {
  test: async ({ kind }) => ({ ok: false, detail: `${kind} connections cannot be tested by this version` }),
};
