import type { ConnectRouter } from '@connectrpc/connect';
import { ChatService } from '../../gen/service/chat/v1/chat_pb.ts';
import { ConversationService } from '../../gen/service/conversation/v1/conversation_pb.ts';
import { GeneratorService as GeneratorServiceDesc } from '../../gen/service/generator/v1/generator_pb.ts';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import type { Chat } from '../services/chat/chat.ts';
import type { Conversations } from '../services/conversations.ts';
import type { GeneratorService } from '../services/generator.ts';
import type { KeyHealthService } from '../services/key-health.ts';
import { createChatService } from './chat/chat-service.ts';
import { createConversationService } from './conversation/conversation-service.ts';
import { createGeneratorRpc } from './generator/generator-service.ts';
import { createHealthRpc } from './health/health-service.ts';

export interface ServiceSet {
  readonly generator: GeneratorService;
  readonly keyHealth: KeyHealthService;
  readonly chat: Chat;
  readonly conversations: Conversations;
}

/** Returns what registers every service of the product on a router. */
export function createRoutes(services: ServiceSet): (router: ConnectRouter) => void {
  return (router) => {
    router.service(GeneratorServiceDesc, createGeneratorRpc(services.generator));
    router.service(HealthService, createHealthRpc(services.keyHealth));
    router.service(ChatService, createChatService(services));
    router.service(ConversationService, createConversationService(services));
  };
}
