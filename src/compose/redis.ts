import { Redis, type RedisOptions } from 'ioredis';

/** How long a command of a request may take, milliseconds. */
const commandTimeoutMs = 2_000;
/** A worker's connection on which an answer is that late is given up; it waits on purpose for up to ten seconds. */
const silenceMs = 15_000;

const connection: RedisOptions = {
  connectTimeout: 2_000,
  retryStrategy: (times) => Math.min(times * 50, 500),
};

/**
 * Opens a connection for commands of requests, which fail within two seconds, and at once while there is no connection.
 * No command is sent twice. It reconnects by itself.
 *
 * Resolves when the first attempt to connect has come to an end, good or bad.
 */
export async function openCommandClient(
  url: string,
  report: (message: string, cause: unknown) => void,
): Promise<Redis> {
  const client = new Redis(url, {
    ...connection,
    commandTimeout: commandTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  });
  reportOutages(client, report);
  await new Promise<void>((resolve) => {
    client.once('ready', resolve).once('close', resolve);
  });
  return client;
}

/** Opens a connection whose commands wait for Redis as long as it takes. */
export function openWorkerClient(url: string, report: (message: string, cause: unknown) => void): Redis {
  const client = new Redis(url, { ...connection, maxRetriesPerRequest: null, socketTimeout: silenceMs });
  reportOutages(client, report);
  return client;
}

/** Tells of the first failure of each outage. */
function reportOutages(client: Redis, report: (message: string, cause: unknown) => void): void {
  let isAway = false;
  client.on('ready', () => {
    isAway = false;
  });
  client.on('error', (error) => {
    if (!isAway) report('Redis cannot be reached', error);
    isAway = true;
  });
}
