import type { DescService } from '@bufbuild/protobuf';
import { createHealthCheck, type HealthCheck } from '../rpc/health-check.ts';
import { needsOf } from '../rpc/service-needs.ts';
import type { Readiness, ReadinessReport } from '../services/readiness.ts';

/** Between two looks, for those who watch. */
const watchIntervalMs = 2_000;

/** The standard health service, as the dependencies of each service stand. */
export interface ServingStatus {
  readonly health: HealthCheck;
  /** Tells the status of these services from now on; resolves when it is known. */
  follow(services: readonly DescService[]): Promise<void>;
  /** Sets everything to NOT_SERVING, for good. */
  stop(): void;
}

export function createServingStatus(readiness: Readiness): ServingStatus {
  let followed: readonly DescService[] = [];
  const refresh = async () => tell(await readiness.read());
  const health = createHealthCheck(refresh);
  const timer = setInterval(() => void refresh(), watchIntervalMs);
  timer.unref();

  function tell({ status, checks }: ReadinessReport): void {
    const away = new Set(checks.filter(({ state }) => state !== 'ok').map(({ name }) => name));
    health.setStatus('', status === 'ready' ? 'SERVING' : 'NOT_SERVING');
    for (const service of followed) {
      const lacks = needsOf(service).some((need) => away.has(need));
      health.setStatus(service.typeName, lacks ? 'NOT_SERVING' : 'SERVING');
    }
  }

  return {
    health,
    async follow(services) {
      followed = services;
      await refresh();
    },
    stop() {
      clearInterval(timer);
      health.shutdown();
    },
  };
}
