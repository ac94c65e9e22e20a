import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../../gen/grpc/health/v1/health_pb.ts';

/** Whether a service takes calls. */
export type HealthStatus = 'SERVING' | 'NOT_SERVING';

/** The standard health service of gRPC (grpc/doc/health-checking.md), for load balancers and orchestrators. */
export interface HealthCheck {
  register(router: ConnectRouter): void;
  /** Sets the status of a service by its full name; the empty name is the server as a whole. */
  setStatus(service: string, status: HealthStatus): void;
  /** Sets everything to NOT_SERVING for good, and ends the watchers once they have been told. */
  shutdown(): void;
}

/**
 * Returns a health service whose server as a whole is SERVING.
 *
 * @param refresh brings the statuses up to date before one is told on demand; watchers are told of what is set.
 */
export function createHealthCheck(refresh: () => Promise<void> = async () => {}): HealthCheck {
  const statuses = new Map<string, HealthStatus>([['', 'SERVING']]);
  let isShutDown = false;
  let changed = Promise.withResolvers<void>();
  const announce = (): void => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const statusOf = (service: string): ServingStatus => {
    const status = statuses.get(service);
    return status === undefined ? ServingStatus.SERVICE_UNKNOWN : ServingStatus[status];
  };
  return {
    register(router) {
      router.service(Health, {
        async check({ service }) {
          await refresh();
          if (!statuses.has(service)) throw new ConnectError('unknown service', Code.NotFound);
          return { status: statusOf(service) };
        },
        async list() {
          await refresh();
          const entries = [...statuses.keys()].map((service) => [service, { status: statusOf(service) }]);
          return { statuses: Object.fromEntries(entries) };
        },
        async *watch({ service }, { signal }) {
          const aborted = abortedPromise(signal);
          let told: ServingStatus | undefined;
          while (!signal.aborted) {
            const next = changed.promise;
            const isLast = isShutDown;
            const status = statusOf(service);
            if (status !== told) yield { status };
            told = status;
            if (isLast) return;
            await Promise.race([next, aborted]);
          }
        },
      });
    },
    setStatus(service, status) {
      if (isShutDown || statuses.get(service) === status) return;
      statuses.set(service, status);
      announce();
    },
    shutdown() {
      isShutDown = true;
      for (const service of statuses.keys()) statuses.set(service, 'NOT_SERVING');
      announce();
    },
  };
}

function abortedPromise(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
