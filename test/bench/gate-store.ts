import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createMemoryRateCounter } from '../../src/counters/memory/rate-counter.ts';
import { hashApiKeyToken, isApiKeyToken } from '../../src/domain/api-key-token.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { anApiKey, anOrganization, aUser } from '../contract/records.ts';

/** Microseconds of CPU of the process per operation, each on a turn of its own, the turn's own cost taken off. */
export interface GateStoreFigures {
  /** `PRAGMA data_version` alone: the least that noticing other processes' writes costs. */
  readonly dataVersion: number;
  readonly checkAndHashToken: number;
  readonly findPrincipal: number;
  readonly findUnknownKey: number;
  /** The principal, then the ledger, in one turn, as the gate reads them. */
  readonly findPrincipalAndReadLedger: number;
  readonly touch: number;
  readonly hit: number;
  /** A durable write alone, milliseconds of time. */
  readonly writeMs: number;
  /** Durable writes a second when 50 are always under way. */
  readonly writesPerSecond: number;
}

const token = 'svc_live_7xkQmEGYmPuIJ3zHJFXVLW8JGeJDIouh4U9LXW';

/** Measures what the gate asks of the embedded store and the counter on every call, warm. */
export async function measureGateStore(rounds = 200_000): Promise<GateStoreFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'service-gate-'));
  const path = join(folder, 'service.db');
  const store = openSqliteStore({ path });
  const bare = new DatabaseSync(path);
  try {
    await store.organizations.create(anOrganization());
    await store.users.create(aUser());
    await store.apiKeys.create(anApiKey({ keyHash: hashApiKeyToken(token) }));
    const keyHash = hashApiKeyToken(token);
    const account = { organizationId: 'organization-1', apiKeyId: 'key-1', cycleStartMs: 0, nowMs: 1 };
    const counter = createMemoryRateCounter();
    const window = { limit: 1_000_000, windowMs: 3_600_000 };
    const dataVersion = bare.prepare('PRAGMA data_version');
    dataVersion.setReturnArrays(true);
    let nowMs = Date.UTC(2026, 0);

    const turn = await cpuPerTurn(rounds, async () => {});
    const measure = async (operation: () => Promise<unknown>) =>
      round((await cpuPerTurn(rounds, operation)) - turn);
    return {
      dataVersion: await measure(async () => dataVersion.get()),
      checkAndHashToken: await measure(async () => isApiKeyToken(token) && hashApiKeyToken(token)),
      findPrincipal: await measure(() => store.apiKeys.findPrincipal(keyHash)),
      findUnknownKey: await measure(() => store.apiKeys.findPrincipal('unknown')),
      findPrincipalAndReadLedger: await measure(async () => {
        await store.apiKeys.findPrincipal(keyHash);
        return store.ledger.read(account);
      }),
      touch: await measure(() => store.apiKeys.touch('key-1', nowMs)),
      hit: await measure(() => {
        nowMs += 4;
        return counter.hit('key:key-1', window, nowMs);
      }),
      ...(await measureWrites((id) => store.users.create(aUser({ id })))),
    };
  } finally {
    bare.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

async function measureWrites(write: (id: string) => Promise<void>) {
  const alone = 200;
  const start = performance.now();
  for (let index = 0; index < alone; index += 1) await write(`alone-${index}`);
  const writeMs = round((performance.now() - start) / alone);
  const together = 5_000;
  const callers = 50;
  let next = 0;
  const parallelStart = performance.now();
  const caller = async () => {
    while (next < together) await write(`together-${next++}`);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const writesPerSecond = Math.round(together / ((performance.now() - parallelStart) / 1_000));
  return { writeMs, writesPerSecond };
}

/** Microseconds of CPU per turn of the event loop that runs `operation` once. */
async function cpuPerTurn(rounds: number, operation: () => Promise<unknown>): Promise<number> {
  await runTurns(rounds / 5, operation);
  const before = process.cpuUsage();
  await runTurns(rounds, operation);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rounds;
}

function runTurns(rounds: number, operation: () => Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    let done = 0;
    const turn = () => {
      if (done++ >= rounds) resolve();
      else operation().then(() => setImmediate(turn), reject);
    };
    setImmediate(turn);
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) console.log(await measureGateStore());
