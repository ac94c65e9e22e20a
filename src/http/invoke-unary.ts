import { create, isMessage, type Message } from '@bufbuild/protobuf';
import type { HandlerContext, Interceptor, MethodImplSpec } from '@connectrpc/connect';
import { invokeUnaryImplementation } from '@connectrpc/connect/protocol';

/**
 * Calls a unary implementation through Connect's invoker and every interceptor. Where there is none, the
 * implementation is called at once: the invoker would only copy the context for interceptors to change.
 */
export async function invokeUnary(
  spec: MethodImplSpec & { kind: 'unary' },
  context: HandlerContext,
  input: Message,
  interceptors: Interceptor[],
): Promise<Message> {
  if (interceptors.length > 0) return invokeUnaryImplementation(spec, context, input, interceptors);
  const { output } = spec.method;
  const message = await spec.impl(input, context);
  return isMessage(message, output) ? message : create(output, message);
}
