import type { DescMethod } from '@bufbuild/protobuf';
import { Access } from '../../../gen/service/options/v1/options_pb.ts';
import { isScope, type Scope } from '../../domain/scopes.ts';
import { methodRulesOf } from '../descriptor-rules.ts';

/** Who may call a method. */
export type MethodAccess =
  | { readonly kind: 'public' | 'session' | 'administrator' | 'signature' }
  | { readonly kind: 'apiKey'; readonly scope: Scope | undefined };

const accessByMethod = new WeakMap<DescMethod, MethodAccess>();

/** Returns who may call a method, as its proto says. */
export function accessOf(method: DescMethod): MethodAccess {
  let access = accessByMethod.get(method);
  if (access === undefined) {
    access = readAccess(method);
    accessByMethod.set(method, access);
  }
  return access;
}

function readAccess(method: DescMethod): MethodAccess {
  const rules = methodRulesOf(method);
  switch (rules.access) {
    case Access.PUBLIC:
      return { kind: 'public' };
    case Access.SESSION:
      return { kind: 'session' };
    case Access.ADMINISTRATOR:
      return { kind: 'administrator' };
    case Access.SIGNATURE:
      return { kind: 'signature' };
    case Access.API_KEY:
      if (rules.scope !== '' && !isScope(rules.scope))
        throw new Error(`${method}: unknown scope ${rules.scope}`);
      return { kind: 'apiKey', scope: rules.scope === '' ? undefined : rules.scope };
    default:
      if (standardServices.has(method.parent.typeName)) return { kind: 'public' };
      throw new Error(`${method}: the proto does not say who may call it`);
  }
}

/** Services of gRPC itself, whose protos carry no options of ours. */
const standardServices = new Set([
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
]);
