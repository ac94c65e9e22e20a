import type { ConnectRouter } from '@connectrpc/connect';
import { GeneratorService as GeneratorServiceDesc } from '../../gen/service/generator/v1/generator_pb.ts';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import type { GeneratorService } from '../services/generator.ts';
import type { KeyHealthService } from '../services/key-health.ts';
import { createGeneratorRpc } from './generator/generator-service.ts';
import { createHealthRpc } from './health/health-service.ts';

export interface ServiceSet {
  readonly generator: GeneratorService;
  readonly keyHealth: KeyHealthService;
}

/** Returns what registers every service of the product on a router. */
export function createRoutes(services: ServiceSet): (router: ConnectRouter) => void {
  return (router) => {
    router.service(GeneratorServiceDesc, createGeneratorRpc(services.generator));
    router.service(HealthService, createHealthRpc(services.keyHealth));
  };
}
