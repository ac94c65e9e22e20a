import { create, type DescMessage, isMessage, type Message } from '@bufbuild/protobuf';
import type { HandlerContext, Interceptor, MethodImplSpec } from '@connectrpc/connect';
import {
  createAsyncIterable,
  invokeUnaryImplementation,
  transformInvokeImplementation,
} from '@connectrpc/connect/protocol';
import { assertValid, validateInterceptor, validatorOf } from '../rpc/validate.ts';

/** Calls implementations for the doors that are not Connect's, in just the way that Connect's are. */
export interface Invoker {
  unary(spec: MethodImplSpec & { kind: 'unary' }, context: HandlerContext, input: Message): Promise<Message>;
  /** Calls a server-streaming method. */
  stream(spec: MethodImplSpec, context: HandlerContext, input: Message): AsyncIterator<Message>;
}

/**
 * Returns an invoker that takes a call through the service's own interceptors and validation, by Connect's invoker.
 * Where there are none of its own, that would only copy messages and contexts for nobody to change; the implementation
 * is then called at once.
 */
export function createInvoker(own: readonly Interceptor[]): Invoker {
  if (own.length === 0) return directInvoker;
  const interceptors = [...own, validateInterceptor];
  return {
    unary: (spec, context, input) => invokeUnaryImplementation(spec, context, input, interceptors),
    stream(spec, context, input) {
      const invoke = transformInvokeImplementation(spec, context, interceptors);
      return invoke(createAsyncIterable([input]))[Symbol.asyncIterator]();
    },
  };
}

const directInvoker: Invoker = {
  async unary(spec, context, input) {
    validate(spec, input);
    return complete(spec.method.output, await spec.impl(input, context));
  },
  stream: directStream,
};

async function* directStream(spec: MethodImplSpec, context: HandlerContext, input: Message) {
  if (spec.kind !== 'server_streaming') throw new Error(`${spec.method} is no server-streaming method`);
  validate(spec, input);
  for await (const message of spec.impl(input, context)) yield complete(spec.method.output, message);
}

function validate({ method }: MethodImplSpec, input: Message): void {
  const validator = validatorOf(method.input);
  if (validator !== undefined) assertValid(method, validator(input));
}

/** Implementations may return init shapes. */
function complete(desc: DescMessage, message: Parameters<typeof create>[1]): Message {
  return isMessage(message, desc) ? message : create(desc, message);
}
