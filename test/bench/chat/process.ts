import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A server under measurement, in a process of its own. */
export interface MeasuredProcess {
  readonly port: number;
  cpuMicros(): Promise<number>;
  /** Of the heap and outside of it, after a collection. */
  heldBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts `script` of this folder and waits until it listens. */
export async function startProcess(script: string, args: readonly string[] = []): Promise<MeasuredProcess> {
  const child = fork(new URL(script, import.meta.url), [...args], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = await once(child, 'message');
  return {
    port,
    cpuMicros: () => ask(child, 'cpu'),
    heldBytes: () => ask(child, 'memory'),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function ask(child: ChildProcess, question: string): Promise<number> {
  child.send(question);
  const [{ value }] = await once(child, 'message');
  return value;
}

/** In the measured process: tells its port, then answers questions. */
export function serveMeasurements(port: number): void {
  process.on('message', (question) => {
    if (question === 'memory') globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({
      value:
        question === 'cpu' ? user + system : process.memoryUsage().heapUsed + process.memoryUsage().external,
    });
  });
  process.send?.({ port });
}
