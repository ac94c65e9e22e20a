import type { Message } from '@bufbuild/protobuf';
import type { MethodImplSpec } from '@connectrpc/connect';
import type { HttpBody } from '../../../gen/google/api/httpbody_pb.ts';
import { type HeaderRecord, sendAnswer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Binding } from './binding.ts';
import type { RestContext } from './rest-context.ts';
import type { RestOptions } from './rest-options.ts';

/** Calls a unary method and sends its answer whole. */
export async function serveUnary(
  call: Call,
  binding: Binding,
  spec: MethodImplSpec & { kind: 'unary' },
  context: RestContext,
  message: Message,
  { invoker }: RestOptions,
): Promise<void> {
  const output = await invoker.unary(spec, context, message);
  const headers: HeaderRecord = {};
  context.responseHeader.copyTo(headers);
  if (binding.status === 204) {
    sendAnswer(call, 204, headers, '');
  } else if (binding.isBinary) {
    const { contentType, data } = output as HttpBody;
    headers['content-type'] ??= contentType || 'application/octet-stream';
    sendAnswer(call, binding.status, headers, data);
  } else {
    headers['content-type'] = 'application/json';
    sendAnswer(call, binding.status, headers, binding.encodeResponse(output));
  }
}
