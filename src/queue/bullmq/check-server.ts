import type { Redis } from 'ioredis';

const oldestVersion = [6, 2] as const;

/**
 * Returns what lets BullMQ read a server's description through us: what is wrong with the server is then reported, once,
 * where BullMQ would write to the console.
 */
export function createServerCheck(
  report: (message: string, cause: unknown) => void,
): (client: Redis) => void {
  const told = new Set<string>();

  function tell(problem: string): void {
    if (told.has(problem)) return;
    told.add(problem);
    report('Redis is not set up for a queue', new Error(problem));
  }

  function check(info: string): string {
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
    if (policy !== undefined && policy !== 'noeviction') {
      tell(`maxmemory-policy is ${policy}, which may lose jobs; it has to be noeviction`);
    }
    const [, major, minor] = /^redis_version:(\d+)\.(\d+)/m.exec(info) ?? [];
    const isOld =
      Number(major) < oldestVersion[0] ||
      (Number(major) === oldestVersion[0] && Number(minor) < oldestVersion[1]);
    if (isOld) tell(`Redis ${major}.${minor} is older than ${oldestVersion.join('.')}`);
    return info.replace(/^maxmemory_policy:\S+/m, 'maxmemory_policy:noeviction');
  }

  return (client) => {
    const info = client.info.bind(client) as (...args: unknown[]) => Promise<string>;
    // The client itself asks with a callback, before it is ready.
    const checked = (...args: unknown[]) => (args.length === 0 ? info().then(check) : info(...args));
    client.info = checked as typeof client.info;
  };
}
