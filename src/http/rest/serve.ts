import { type FieldViolation, ServiceError } from '../../domain/errors.ts';
import { fromConnectError } from '../../rpc/connect-error.ts';
import { accessOf } from '../../rpc/gate/access.ts';
import { sendError } from '../answer.ts';
import type { Call } from '../call.ts';
import { readBody } from '../request-body.ts';
import type { Binding } from './binding.ts';
import { createRestContext } from './rest-context.ts';
import type { RestOptions } from './rest-options.ts';
import type { CapturedValues } from './route-table.ts';
import { sentPointer } from './sent-pointer.ts';
import { serveBinary } from './serve-binary.ts';
import { serveEvents } from './serve-events.ts';
import { serveUnary } from './serve-unary.ts';

/** Serves one call of a REST route: gate, body, implementation, answer. Failures become the answer; nothing is thrown. */
export async function serveRest(
  call: Call,
  binding: Binding,
  values: CapturedValues,
  options: RestOptions,
): Promise<void> {
  const context = createRestContext(call, binding.method);
  let isOver = false;
  let body: Buffer = noBody;
  call.res.on('close', () => {
    if (!isOver) context.abort(clientGone);
  });
  options.openCalls.add(context.abort);
  try {
    if (accessOf(binding.method).kind !== 'public') await options.gate(context);
    if (binding.body !== '') body = await readBody(call, options.limits);
    const message = binding.readRequest(values, call.query, call.req.headers, body);
    if (binding.spec.kind === 'unary')
      await serveUnary(call, binding, binding.spec, context, message, options);
    else if (binding.isBinary) await serveBinary(call, binding, context, message, options);
    else await serveEvents(call, binding, context, message, options);
  } catch (error) {
    if (!call.res.headersSent && !call.res.closed) {
      const failure = inBodyTerms(fromConnectError(error), binding.bodyPointer, body);
      sendError(call, failure, options.errorsBase, context.responseHeader);
    }
  } finally {
    isOver = true;
    options.openCalls.delete(context.abort);
  }
}

const clientGone = new Error('the client went away');
const noBody = Buffer.alloc(0);

/** Violations name fields of the message; a caller knows those of the body, in the forms that it sent. */
function inBodyTerms(error: ServiceError, bodyPointer: string, body: Buffer): ServiceError {
  if (error.violations.length === 0) return error;
  const document = parsed(body);
  const violations = error.violations.map(({ pointer, detail }): FieldViolation => {
    const isInside = bodyPointer !== '' && pointer.startsWith(`${bodyPointer}/`);
    return { pointer: sentPointer(document, isInside ? pointer.slice(bodyPointer.length) : pointer), detail };
  });
  if (violations.every(({ pointer }, index) => pointer === error.violations[index]?.pointer)) return error;
  const name = `${bodyPointer.slice(1)}.`;
  const detail =
    bodyPointer !== '' && error.detail?.startsWith(name) ? error.detail.slice(name.length) : error.detail;
  return new ServiceError(error.slug, {
    title: error.title,
    extra: error.extra,
    violations,
    cause: error.cause,
    ...(detail === undefined ? {} : { detail }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  });
}

/** Undefined when it is no JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
