import type { Message } from '@bufbuild/protobuf';
import { createAsyncIterable, transformInvokeImplementation } from '@connectrpc/connect/protocol';
import type { Binding } from './binding.ts';
import type { RestContext } from './rest-context.ts';
import type { RestOptions } from './serve.ts';

/** Calls a streaming method with one message, through Connect's invoker and every interceptor. */
export function invokeStream(
  binding: Binding,
  context: RestContext,
  message: Message,
  { interceptorsOf }: RestOptions,
): AsyncIterator<Message> {
  const invoke = transformInvokeImplementation(binding.spec, context, interceptorsOf(binding.method));
  return invoke(createAsyncIterable([message]))[Symbol.asyncIterator]();
}
