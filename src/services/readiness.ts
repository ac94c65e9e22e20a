/** What the process cannot serve without. */
export interface Dependency {
  /** For the operator. */
  readonly name: string;
  /** Resolves when it answers. */
  readonly ping: () => Promise<void>;
}

export interface ReadinessReport {
  /** `not_ready`: a dependency does not answer. */
  readonly status: 'ready' | 'not_ready' | 'stopping';
  readonly checks: readonly { readonly name: string; readonly state: 'ok' | 'failing' }[];
}

export interface Readiness {
  /**
   * Tells how things stand, within the time limit. However many ask, the dependencies are asked once in a while; a report
   * is at most that old.
   */
  read(): Promise<ReadinessReport>;
  /** From now on the process is stopping, whatever its dependencies do. */
  stop(): void;
}

export interface ReadinessOptions {
  /** For all dependencies to answer; one that does not is failing. Default: 2 s. */
  readonly timeoutMs?: number;
  /** How long a report is given out again. Default: 1 s. */
  readonly maxAgeMs?: number;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
}

export function createReadiness(
  dependencies: readonly Dependency[],
  { timeoutMs = 2_000, maxAgeMs = 1_000, now = () => performance.now() }: ReadinessOptions = {},
): Readiness {
  let isStopping = false;
  let last: { readonly checks: ReadinessReport['checks']; readonly atMs: number } | undefined;
  let asking: Promise<ReadinessReport['checks']> | undefined;

  async function ask(): Promise<ReadinessReport['checks']> {
    const checks = await Promise.all(
      dependencies.map(async ({ name, ping }) => {
        const state: 'ok' | 'failing' = (await answers(ping, timeoutMs)) ? 'ok' : 'failing';
        return { name, state };
      }),
    );
    last = { checks, atMs: now() };
    asking = undefined;
    return checks;
  }

  function recent(): ReadinessReport['checks'] | undefined {
    const isUsable = last !== undefined && (isStopping || now() - last.atMs < maxAgeMs);
    return isUsable ? last?.checks : undefined;
  }

  return {
    async read() {
      let checks = recent();
      if (checks === undefined) {
        asking ??= ask();
        checks = await asking;
      }
      const isFine = checks.every(({ state }) => state === 'ok');
      return { status: isStopping ? 'stopping' : isFine ? 'ready' : 'not_ready', checks };
    },
    stop() {
      isStopping = true;
    },
  };
}

async function answers(ping: () => Promise<void>, timeoutMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  const answer = async () => {
    await ping();
    return true;
  };
  try {
    return await Promise.race([answer(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
