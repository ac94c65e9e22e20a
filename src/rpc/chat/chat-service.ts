import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { ChatService } from '../../../gen/service/chat/v1/chat_pb.ts';
import { ServiceError } from '../../domain/errors.ts';
import { parseIdempotencyKey } from '../../domain/idempotency.ts';
import type { Chat } from '../../services/chat/chat.ts';
import { addBudgetUsed } from '../gate/standing-headers.ts';
import { callerOf } from '../principal.ts';
import { toChatInput, toQueryInput } from './chat-input.ts';
import { toChatResponse, toQueryResponse, toStreamResponse } from './chat-output.ts';

/** Set on an answer that was given before to a request with the same idempotency key. */
const replayHeader = 'idempotency-replayed';

/** Returns the chat methods of both doors. Failures are `ServiceError`. */
export function createChatService(deps: { readonly chat: Chat }): ServiceImpl<typeof ChatService> {
  const { chat } = deps;
  return {
    async chat(request, context) {
      const idempotencyKey = parseIdempotencyKey(context.requestHeader.get('idempotency-key'));
      const call = callOf(context, toChatInput(request));
      const { answer, isReplay, billedTokens } = await chat.reply(
        idempotencyKey === undefined ? call : { ...call, idempotencyKey },
      );
      if (isReplay) context.responseHeader.set(replayHeader, 'true');
      addBudgetUsed(context.responseHeader, billedTokens);
      return toChatResponse(answer);
    },

    async *streamChat(request, context) {
      if (request.chat === undefined) {
        throw new ServiceError('invalid_request', { detail: 'chat is required' });
      }
      const events = chat.stream(callOf(context, toChatInput(request.chat)));
      for await (const event of events) yield toStreamResponse(event);
    },

    async query(request, context) {
      const { answer, billedTokens } = await chat.query(callOf(context, toQueryInput(request)));
      addBudgetUsed(context.responseHeader, billedTokens);
      return toQueryResponse(answer);
    },
  };
}

function callOf(context: HandlerContext, input: ReturnType<typeof toChatInput>) {
  return { principal: callerOf(context), input, signal: context.signal };
}
