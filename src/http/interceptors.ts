import type { DescMethod } from '@bufbuild/protobuf';
import type { Interceptor } from '@connectrpc/connect';
import { validateInterceptor, validatorOf } from '../rpc/validate.ts';
import { createErrorInterceptor } from './error-interceptor.ts';
import { protectHeadersInterceptor } from './protect-headers.ts';

/** The interceptors of the service, as each door needs them. */
export interface Interceptors {
  /** All of them in order, the first outermost, for handlers that are not ours. */
  readonly all: Interceptor[];
  /** Those that do something for a method at a door that turns failures into answers by itself. */
  of(method: DescMethod): Interceptor[];
}

/**
 * Returns the interceptors around every implementation: errors outermost, validation innermost, and between them the
 * service's own.
 */
export function createInterceptors(own: readonly Interceptor[], errorDomain: string): Interceptors {
  const byMethod = new Map<DescMethod, Interceptor[]>();
  const forMethod = (method: DescMethod): Interceptor[] => [
    ...(method.methodKind === 'unary' ? [] : [protectHeadersInterceptor]),
    ...own,
    ...(validatorOf(method.input) === undefined ? [] : [validateInterceptor]),
  ];
  return {
    all: [createErrorInterceptor(errorDomain), protectHeadersInterceptor, ...own, validateInterceptor],
    of(method) {
      let interceptors = byMethod.get(method);
      if (interceptors === undefined) {
        interceptors = forMethod(method);
        byMethod.set(method, interceptors);
      }
      return interceptors;
    },
  };
}
