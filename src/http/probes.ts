/** How the process stands with what it depends on. */
export interface ProbedReadiness {
  readonly status: 'ready' | 'not_ready' | 'stopping';
  readonly checks: readonly { readonly name: string; readonly state: string }[];
}

export interface ProbeAnswer {
  readonly status: number;
  readonly body: string;
}

/** Answers the path of a probe; undefined for any other. */
export type Probes = (path: string) => Promise<ProbeAnswer> | undefined;

export const probeHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

/**
 * Returns the probes of an orchestrator: `/livez` says that the event loop turns and nothing else, so that no restart is
 * asked for because of somebody else's failure; `/readyz` says whether calls can be served, with the name and state of
 * each dependency and nothing of where they are.
 */
export function createProbes(readiness: () => Promise<ProbedReadiness>): Probes {
  return (path) => {
    if (path === '/livez') return alive;
    return path === '/readyz' ? readiness().then(toAnswer) : undefined;
  };
}

const alive = Promise.resolve({ status: 200, body: JSON.stringify({ status: 'alive' }) });

function toAnswer({ status, checks }: ProbedReadiness): ProbeAnswer {
  return { status: status === 'ready' ? 200 : 503, body: JSON.stringify({ status, checks }) };
}
