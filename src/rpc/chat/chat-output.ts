import { create, type JsonObject as ProtoJsonObject } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type ChatResponse,
  ChatResponseSchema,
  FinishReason as ProtoFinishReason,
  type QueryResponse,
  QueryResponseSchema,
  StepStatus,
  type StreamChatResponse,
  StreamChatResponseSchema,
} from '../../../gen/service/chat/v1/chat_pb.ts';
import type { ChatAnswer, FinishReason, JsonObject, TokenUsage } from '../../domain/chat.ts';
import type { ChatEvent } from '../../services/chat/chat.ts';

const finishReasons: Readonly<Record<FinishReason, ProtoFinishReason>> = {
  stop: ProtoFinishReason.STOP,
  length: ProtoFinishReason.LENGTH,
};

const stepStatuses = {
  running: StepStatus.RUNNING,
  completed: StepStatus.COMPLETED,
  failed: StepStatus.FAILED,
} as const;

export function toChatResponse(answer: ChatAnswer): ChatResponse {
  const { id, conversationId, model, content, toolCalls, finishReason, usage, createdAtMs } = answer;
  return create(ChatResponseSchema, {
    id,
    conversationId: conversationId ?? '',
    model,
    content,
    toolCalls: toolCalls.map(({ name, args }) => ({ name, args: toStruct(args) })),
    finishReason: finishReasons[finishReason],
    ...toUsage(usage),
    createdAt: timestampFromMs(createdAtMs),
  });
}

export function toQueryResponse(answer: ChatAnswer): QueryResponse {
  const { id, model, content, finishReason, usage, createdAtMs } = answer;
  return create(QueryResponseSchema, {
    id,
    model,
    answer: content,
    finishReason: finishReasons[finishReason],
    ...toUsage(usage),
    createdAt: timestampFromMs(createdAtMs),
  });
}

export function toStreamResponse(event: ChatEvent): StreamChatResponse {
  return create(StreamChatResponseSchema, { event: toEvent(event) });
}

type ProtoEvent = NonNullable<Parameters<typeof create<typeof StreamChatResponseSchema>>[1]>['event'];

function toEvent(event: ChatEvent): NonNullable<ProtoEvent> {
  switch (event.type) {
    case 'meta':
      return { case: 'meta', value: { conversationId: event.conversationId, model: event.model } };
    case 'content':
      return { case: 'content', value: { content: event.content } };
    case 'tool_call_start':
      return { case: 'toolCallStart', value: { name: event.name, args: toStruct(event.args) } };
    case 'step': {
      const { status, label, tool } = event;
      return { case: 'step', value: { status: stepStatuses[status], label, tool } };
    }
    case 'done': {
      const { conversationId, model, finishReason } = event;
      return { case: 'done', value: { conversationId, model, finishReason: finishReasons[finishReason] } };
    }
    case 'error':
      return { case: 'error', value: { error: event.error, code: event.code } };
  }
}

function toUsage(usage: TokenUsage | null) {
  if (usage === null) return {};
  return {
    usage: {
      promptTokens: BigInt(usage.promptTokens),
      completionTokens: BigInt(usage.completionTokens),
      totalTokens: BigInt(usage.totalTokens),
    },
  };
}

/** The domain's JSON is read-only; the message's is not, and is written by nobody. */
function toStruct(args: JsonObject): ProtoJsonObject {
  return args as ProtoJsonObject;
}
