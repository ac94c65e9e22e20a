/** Something whose leases must be extended for as long as it runs. */
export interface Leased {
  /** False: the lease is another's by now. A rejection is tried again at the next tick. */
  renew(): Promise<boolean>;
  onLost(): void;
}

/** Extends the leases of every running turn of the process, with one timer for all. */
export interface LeaseKeeper {
  /** Returns the function that ends the care. */
  keep(leased: Leased): () => void;
}

export function createLeaseKeeper(options: {
  readonly intervalMs: number;
  readonly report: (message: string, cause: unknown) => void;
}): LeaseKeeper {
  const kept = new Set<Leased>();
  let timer: NodeJS.Timeout | undefined;

  async function renew(leased: Leased): Promise<void> {
    try {
      if ((await leased.renew()) || !kept.delete(leased)) return;
      leased.onLost();
    } catch (cause) {
      options.report('a lease could not be renewed', cause);
    }
  }

  function tick(): void {
    for (const leased of kept) void renew(leased);
  }

  return {
    keep(leased) {
      kept.add(leased);
      timer ??= setInterval(tick, options.intervalMs).unref();
      return () => {
        kept.delete(leased);
        if (kept.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
