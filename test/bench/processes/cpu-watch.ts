import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';

/** Who used the CPU while something was measured, in microseconds, by name. */
export interface CpuUse {
  readonly micros: Readonly<Record<string, number>>;
  /** All others on the machine. */
  readonly othersMicros: number;
  readonly wallMicros: number;
}

/** Tells the CPU time that a process has used so far, microseconds. */
export type CpuMeter = () => Promise<number>;

/** Measures the CPU that each of the named processes uses for some work. */
export async function watchCpu(
  meters: Readonly<Record<string, CpuMeter>>,
  work: () => Promise<void>,
): Promise<CpuUse> {
  const read = () =>
    Promise.all(Object.entries(meters).map(async ([name, meter]) => [name, await meter()] as const));
  const before = new Map(await read());
  const busyBefore = machineMicros();
  const startedAtMs = performance.now();
  await work();
  const wallMicros = (performance.now() - startedAtMs) * 1_000;
  const busyMicros = machineMicros() - busyBefore;
  const micros = Object.fromEntries(
    (await read()).map(([name, after]) => [name, after - (before.get(name) ?? 0)]),
  );
  return { micros, othersMicros: Math.max(0, busyMicros - totalOf(micros)), wallMicros };
}

/** CPU time of all processes since the machine started. */
function machineMicros(): number {
  return (
    cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) * 1_000
  );
}

/** Returns a meter of any process, by Linux's /proc in steps of 10 ms; it tells 0 where there is none. */
export function processMeter(pid: number | undefined): CpuMeter {
  return async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // After the name, which may have spaces: utime and stime are fields 14 and 15 of all (proc(5)), in 1/100 s.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000;
  };
}

export const ownMeter: CpuMeter = async () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Says what of the machine was used, as in `1.9 of 2 cores: service 70 %, MongoDB 20 %, client 10 %`. */
export function describeUse({ micros, wallMicros }: CpuUse): string {
  const total = totalOf(micros);
  const shares = Object.entries(micros).map(
    ([name, used]) => `${name} ${Math.round((used / total) * 100)} %`,
  );
  return `${(total / wallMicros).toFixed(1)} of ${availableParallelism()} cores: ${shares.join(', ')}`;
}

/** The share of the CPU in use that the named process had, 0 to 1. */
export function shareOf({ micros }: CpuUse, name: string): number {
  return (micros[name] ?? 0) / totalOf(micros);
}

/** Cores that were busy with something else, on average. */
export function othersCores({ othersMicros, wallMicros }: CpuUse): number {
  return othersMicros / wallMicros;
}

function totalOf(micros: CpuUse['micros']): number {
  return Object.values(micros).reduce((sum, used) => sum + used, 0);
}
