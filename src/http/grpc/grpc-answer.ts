import type { OutgoingHttpHeaders } from 'node:http2';
import type { Message } from '@bufbuild/protobuf';
import type { ConnectError, MethodImplSpec } from '@connectrpc/connect';
import type { Invoker } from '../invoke.ts';
import { protectHeaders } from '../protect-headers.ts';
import { dropRest } from '../unread-body.ts';
import { endChunks, writeChunk } from '../write-chunk.ts';
import type { GrpcCall } from './grpc-call.ts';
import { frameMessage } from './grpc-message.ts';
import { type Http2Headers, statusTrailers } from './grpc-status.ts';

/** Calls a unary method and sends its one message. */
export async function answerUnary(
  call: GrpcCall,
  spec: MethodImplSpec & { kind: 'unary' },
  message: Message,
  invoker: Invoker,
): Promise<void> {
  const answer = invoker.unary(spec, call, message);
  const output = await inTime(call, answer);
  const { stream } = call;
  if (stream.closed) return;
  begin(call);
  stream.end(frameMessage(spec.method.output, output));
}

/** Calls a server-streaming method and sends its messages. */
export async function answerStream(
  call: GrpcCall,
  spec: MethodImplSpec,
  message: Message,
  invoker: Invoker,
  stalledWriteMs: number,
): Promise<void> {
  const { stream } = call;
  const outputs = invoker.stream(spec, call, message);
  try {
    // The implementation sets headers until its first message.
    let output = await inTime(call, outputs.next());
    if (stream.closed) return;
    begin(call);
    while (output.done !== true) {
      const frame = frameMessage(spec.method.output, output.value);
      if (!(await writeChunk(stream, frame, stalledWriteMs))) return;
      output = await inTime(call, outputs.next());
    }
    endChunks(stream);
  } finally {
    call.abort(streamOver);
    outputs.return?.().catch(() => undefined);
  }
}

/** Ends a call in failure: with trailers alone, or after the messages that were sent. */
export function fail(call: GrpcCall, error: ConnectError): void {
  const { stream } = call;
  if (stream.closed || stream.destroyed) return;
  if (stream.headersSent) {
    failures.set(stream, error);
    endChunks(stream);
    return;
  }
  const headers = headOf(call);
  Object.assign(headers, statusTrailers(error));
  stream.respond(headers, { endStream: true });
  // A request that is still arriving is told to stop, without an error (RFC 9113, section 8.1).
  if (!stream.readableEnded) dropRest(stream);
}

const failures = new WeakMap<object, ConnectError>();

/** Sends the head, and leaves word what the trailers are to be when the body has ended. */
function begin(call: GrpcCall): void {
  const { stream, responseTrailer } = call;
  stream.respond(headOf(call), { waitForTrailers: true });
  stream.once('wantTrailers', () => {
    const error = failures.get(stream);
    const trailers: Http2Headers = {};
    responseTrailer.copyTo(trailers);
    stream.sendTrailers(
      Object.assign(trailers, error === undefined ? { 'grpc-status': '0' } : statusTrailers(error)),
    );
  });
}

function headOf({ responseHeader, standingHeaders, contentType }: GrpcCall): OutgoingHttpHeaders {
  const headers: Http2Headers = {};
  responseHeader.copyTo(headers);
  protectHeaders(headers, contentType);
  return Object.assign(headers, standingHeaders, { ':status': 200 });
}

function inTime<Value>({ deadline }: GrpcCall, promise: Promise<Value>): Promise<Value> {
  return deadline === undefined ? promise : Promise.race([promise, deadline]);
}

const streamOver = new Error('the stream is over');
