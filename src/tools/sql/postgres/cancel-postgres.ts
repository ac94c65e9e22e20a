import { createConnection } from 'node:net';
import type { Client } from 'pg';

const cancelRequestCode = 80_877_102;
const patienceMs = 2_000;

/**
 * Asks the server to cancel what the client's connection is doing, as far as it can be reached; nobody waits for it.
 *
 * PostgreSQL: frontend/backend protocol, CancelRequest.
 */
export function cancelPostgres(client: Client): void {
  const { processID, secretKey } = client as unknown as {
    processID: number | null;
    secretKey: number | null;
  };
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(cancelRequestCode, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const { host, port } = client;
  const socket = createConnection(
    host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
  );
  socket.setTimeout(patienceMs, () => socket.destroy());
  // The server notices by itself that the client has gone, if later.
  socket.on('error', () => {});
  socket.end(message);
}
