import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

/** A process of the service as an operator would run it, on ports that it keeps over restarts. */
export interface ServiceProcess {
  readonly name: string;
  /** Of a process that serves. */
  readonly url: string;
  /** Unique for each start; the model server is shown it. */
  readonly incarnation: string;
  /** Whether it listens. */
  readonly isUp: boolean;
  /** Of the present start. */
  readonly pid: number;
  /** Of the present start, with a channel for messages. */
  readonly child: ChildProcess;
  /** Resolves when it listens; starts it again when it ends before. */
  start(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Ends it with SIGTERM; resolves to its exit status. */
  stop(): Promise<number | null>;
}

export interface ClusterOptions {
  readonly roles: Readonly<Record<string, 'api' | 'worker' | 'all'>>;
  readonly mongodbUrl: string;
  readonly redisUrl: string;
  /** Of a server with the model `large`. */
  readonly modelsUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node itself. */
  readonly execArgv?: readonly string[];
}

export interface Cluster {
  readonly processes: readonly ServiceProcess[];
  of(...roles: readonly string[]): readonly ServiceProcess[];
  /** What the processes logged as errors, by message and cause, with how often. */
  readonly errors: ReadonlyMap<string, number>;
  /** Kills what still runs. */
  remove(): Promise<void>;
}

export const publicUrl = 'http://service.test';
const completionTokens = 1_000;
/** The most that one completion may cost. */
export const contextTokens = 16_000;

/** On a machine that is busy with others. */
const startsWithinMs = 120_000;

const main = join(import.meta.dirname, '../../src/main.ts');

/** Prepares processes; none is started. */
export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'service-cluster-'));
  const errors = new Map<string, number>();
  const entries = await Promise.all(
    Object.entries(options.roles).map(async ([name, role]) => ({
      role,
      process: createProcess(options, {
        name,
        role,
        port: await freePort(),
        adminPort: await freePort(),
        folder,
        errors,
      }),
    })),
  );
  const processes = entries.map((entry) => entry.process);
  return {
    processes,
    of: (...roles) => entries.filter(({ role }) => roles.includes(role)).map((entry) => entry.process),
    errors,
    async remove() {
      await Promise.all(processes.map((each) => each.kill()));
      rmSync(folder, { recursive: true });
    },
  };
}

interface ProcessPlace {
  readonly name: string;
  readonly role: string;
  readonly port: number;
  readonly adminPort: number;
  readonly folder: string;
  readonly errors: Map<string, number>;
}

function createProcess(
  { mongodbUrl, redisUrl, modelsUrl, env, execArgv = [] }: ClusterOptions,
  { name, role, port, adminPort, folder, errors }: ProcessPlace,
): ServiceProcess {
  const modelsFile = join(folder, `${name}.json`);
  let child: ChildProcess | undefined;
  let starts = 0;
  let isUp = false;

  function launch(): ChildProcess {
    starts += 1;
    writeFileSync(modelsFile, modelsOf(modelsUrl, `${name}#${starts}`));
    const started = spawn(process.execPath, [...execArgv, main], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        ROLE: role,
        PUBLIC_URL: publicUrl,
        DATA_DIR: folder,
        MONGODB_URL: mongodbUrl,
        REDIS_URL: redisUrl,
        MODELS_FILE: modelsFile,
        SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
        IP_RATE_LIMIT: '1000000000',
        TRUSTED_PROXIES: '127.0.0.1',
        WORKER_THREADS: '1',
        LOG_LEVEL: 'error',
        ...env,
      },
    });
    for (const output of [started.stdout, started.stderr]) {
      if (output !== null) createInterface({ input: output }).on('line', (line) => note(errors, line));
    }
    child = started;
    return started;
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    isUp = false;
    const ending = child;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return null;
    const closed = once(ending, 'close');
    ending.kill(signal);
    return (await closed)[0];
  }

  return {
    name,
    url: `http://127.0.0.1:${port}`,
    get incarnation() {
      return `${name}#${starts}`;
    },
    get isUp() {
      return isUp;
    },
    get pid() {
      return child?.pid ?? 0;
    },
    get child() {
      if (child === undefined) throw new Error(`${name} has not been started`);
      return child;
    },

    async start() {
      const giveUpAtMs = Date.now() + startsWithinMs;
      let started = launch();
      // A worker serves nobody but its operator.
      while (!(await takesConnections(role === 'worker' ? adminPort : port))) {
        if (Date.now() > giveUpAtMs) throw new Error(`${name} does not listen: ${[...errors.keys()].at(-1)}`);
        // One that does not reach the store in time ends, and is started again as its supervisor would.
        if (started.exitCode !== null) started = launch();
        await sleep(50);
      }
      isUp = true;
    },

    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

function modelsOf(baseUrl: string, incarnation: string): string {
  const large = {
    id: 'large',
    context_tokens: contextTokens,
    completion_tokens: completionTokens,
    tools: false,
  };
  const headers = { 'x-process': incarnation };
  return JSON.stringify({
    upstreams: [{ name: 'fake', base_url: baseUrl, headers, retries: 0, models: [large] }],
  });
}

/** Ids and numbers are left out, so that the same failure is counted as one. */
function note(errors: Map<string, number>, line: string): void {
  let text = line;
  try {
    const { msg, err, path, status } = JSON.parse(line);
    const causes = [];
    for (let cause = err; cause != null && causes.length < 5; cause = cause.cause) {
      causes.push(cause.message ?? String(cause));
    }
    text = [msg, path, status, ...causes].filter((part) => part !== undefined).join(' < ');
  } catch {}
  const key = text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…').replace(/\d{3,}/g, 'N');
  errors.set(key, (errors.get(key) ?? 0) + 1);
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
