import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { AgentService } from '../../gen/service/agent/v1/agent_pb.ts';
import { ChatService, FinishReason } from '../../gen/service/chat/v1/chat_pb.ts';
import { ConversationService } from '../../gen/service/conversation/v1/conversation_pb.ts';
import { GeneratorService } from '../../gen/service/generator/v1/generator_pb.ts';
import {
  type GetHealthResponse,
  GetHealthResponseSchema,
  HealthService,
} from '../../gen/service/health/v1/health_pb.ts';
import { ServiceError, specInvalid } from '../../src/domain/errors.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/server.ts';

export const testTime = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export function cannedHealth(): GetHealthResponse {
  return create(GetHealthResponseSchema, {
    status: 'ok',
    key: { rateLimitPerHour: 1000n, monthlyTokenBudget: 9_007_199_254_740_993n },
    budget: { used: 5n, cycleStartedAt: timestampFromMs(testTime) },
    timestamp: timestampFromMs(testTime),
    allowedModels: ['demo'],
  });
}

/** What the canned services were called with, in order. */
export interface Recorder {
  readonly calls: { readonly method: string; readonly message: unknown; readonly context: HandlerContext }[];
}

/**
 * Registers services on the project's own protos whose answers depend on the request alone:
 * a chat of "fail" fails with model_not_allowed, one of "limited" with usage_limit_exceeded, one of "break" throws
 * something that is no ServiceError, and one of "wait" waits until its call is aborted.
 */
export function cannedRoutes(recorder: Recorder = { calls: [] }): (router: ConnectRouter) => void {
  const record = (context: HandlerContext, message: unknown) =>
    recorder.calls.push({ method: context.method.name, message, context });
  return (router) => {
    router.service(HealthService, {
      getHealth(request, context) {
        record(context, request);
        return cannedHealth();
      },
    });
    router.service(ConversationService, {
      listConversations(request, context) {
        record(context, request);
        return { data: [{ id: 'c1', title: 'First' }], hasMore: false };
      },
      getConversation(request, context) {
        record(context, request);
        if (request.id === 'missing') throw new ServiceError('not_found');
        return { id: request.id, createdAt: timestampFromMs(testTime) };
      },
      deleteConversation(request, context) {
        record(context, request);
        return {};
      },
    });
    router.service(ChatService, {
      async chat(request, context) {
        record(context, request);
        if (request.message === 'wait') await once(context.signal, 'abort');
        failOn(request.message);
        return {
          id: 'r1',
          conversationId: 'c1',
          model: 'demo',
          content: request.message ?? '',
          toolCalls: [{ name: 'run_sql', args: { sql: 'select 1', deep: { list: [1, null] } } }],
          finishReason: FinishReason.STOP,
          createdAt: timestampFromMs(testTime),
        };
      },
      async *streamChat(request, context) {
        record(context, request);
        failOn(request.chat?.message);
        context.responseHeader.set('x-canned', 'yes');
        yield { event: { case: 'meta', value: { conversationId: 'c1', model: 'demo' } } };
        for (const word of (request.chat?.message ?? '').split(' ')) {
          if (word === 'break') throw new Error('private text');
          yield { event: { case: 'content', value: { content: word } } };
        }
        yield {
          event: {
            case: 'done',
            value: { conversationId: 'c1', model: 'demo', finishReason: FinishReason.STOP },
          },
        };
      },
      query(request, context) {
        record(context, request);
        return { id: 'q1', model: 'demo', answer: request.query };
      },
    });
    router.service(GeneratorService, {
      async *generateExcel(request, context) {
        record(context, request);
        if (request.title === 'fail') throw new ServiceError('unsafe_image_ref');
        if (request.title === 'odd') throw specInvalid('excel', 'the header is odd', '/columns/0/header');
        const parts = ['part one,', 'part two'].map((text) => new TextEncoder().encode(text));
        context.responseHeader.set('content-disposition', 'attachment; filename="a.xlsx"');
        context.responseHeader.set('content-length', '17');
        context.responseHeader.set('x-service-file-id', 'f1');
        for (const data of parts) yield { contentType: 'application/test', data };
      },
    });
    router.service(AgentService, {
      triggerWebhook(request, context) {
        record(context, request);
        return { ok: true, queued: true };
      },
    });
  };
}

function failOn(message: string | undefined): void {
  if (message === 'fail') {
    throw new ServiceError('model_not_allowed', {
      detail: 'No such model.',
      extra: { requested_model: 'x', allowed_models: ['demo'] },
      cause: new Error('private text'),
    });
  }
  if (message === 'break') throw new Error('private text');
  if (message === 'limited') throw new ServiceError('usage_limit_exceeded', { retryAfterSeconds: 7 });
}

/** A gate that admits the key "good" and sets one header on every answer to it. */
export async function cannedGate(context: HandlerContext): Promise<void> {
  const authorization = context.requestHeader.get('authorization');
  if (authorization === null) throw new ServiceError('missing_token');
  if (authorization !== 'Bearer good') throw new ServiceError('invalid_token');
  context.responseHeader.set('x-service-api-key-id', 'k1');
}

export const publicUrl = 'https://service.example';
export const errorsBase = 'https://errors.example/errors';

/** Starts a server with the canned services on a free port of the loopback interface. */
export async function startServer(
  options: Partial<HttpServerOptions> = {},
): Promise<{ server: HttpServer; port: number }> {
  const server = createHttpServer({
    routes: cannedRoutes(),
    gate: cannedGate,
    errorsBase,
    publicUrl,
    ...options,
  });
  const { port } = await server.listen(0, '127.0.0.1');
  return { server, port };
}
