import type { DescMethod, DescService } from '@bufbuild/protobuf';
import {
  type ConnectRouter,
  createMethodImplSpec,
  createServiceImplSpec,
  type MethodImplSpec,
} from '@connectrpc/connect';
import { accessOf } from '../rpc/gate/access.ts';
import { type Binding, bindingsOf } from './rest/binding.ts';
import { createRouteTable, type RouteTable } from './rest/route-table.ts';

export interface Services {
  /** Every method that is implemented. */
  readonly specs: readonly MethodImplSpec[];
  /** Services in the order in which they were registered. */
  readonly descriptors: readonly DescService[];
  readonly bindings: readonly Binding[];
  /** The REST routes of the methods. */
  readonly routes: RouteTable<Binding>;
}

/**
 * Collects services as a Connect router does, so that every door can be built from the same implementations.
 *
 * @throws Error when a method does not say who may call it, its http rule cannot be followed, or a service comes with
 * options of its own: in Connect those would switch protocols on again
 */
export function createServices(register: (router: ConnectRouter) => void): Services {
  const specs: MethodImplSpec[] = [];
  const descriptors: DescService[] = [];
  const router: ConnectRouter = {
    handlers: [],
    service(service, implementation, options) {
      refuseOptions(options);
      descriptors.push(service);
      specs.push(...Object.values(createServiceImplSpec(service, implementation).methods));
      return router;
    },
    rpc(method, implementation, options) {
      refuseOptions(options);
      specs.push(createMethodImplSpec(method, implementation));
      return router;
    },
  };
  register(router);
  const bindings = specs.flatMap(bindingsOf);
  const routes = createRouteTable<Binding>();
  for (const { method } of specs) accessOf(method satisfies DescMethod);
  for (const binding of bindings) routes.add(binding.httpMethod, binding.template, binding);
  return { specs, descriptors, bindings, routes };
}

function refuseOptions(options: unknown): void {
  if (options !== undefined) throw new Error('a service takes no options of its own');
}
