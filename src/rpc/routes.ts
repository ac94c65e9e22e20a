import type { ConnectRouter } from '@connectrpc/connect';
import { AdminService } from '../../gen/service/admin/v1/admin_pb.ts';
import { SessionService } from '../../gen/service/admin/v1/session_pb.ts';
import { AgentService } from '../../gen/service/agent/v1/agent_pb.ts';
import { ChatService } from '../../gen/service/chat/v1/chat_pb.ts';
import { ConversationService } from '../../gen/service/conversation/v1/conversation_pb.ts';
import { GeneratorService as GeneratorServiceDesc } from '../../gen/service/generator/v1/generator_pb.ts';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import type { AccountServices } from '../services/accounts/account-services.ts';
import { restrictAccounts } from '../services/accounts/restrict-accounts.ts';
import type { AgentRuntime } from '../services/agent-runtime.ts';
import type { Chat } from '../services/chat/chat.ts';
import type { Conversations } from '../services/conversations.ts';
import type { GeneratorService } from '../services/generator.ts';
import type { KeyHealthService } from '../services/key-health.ts';
import { createAdminRpc } from './admin/admin-service.ts';
import { createAgentRpc } from './agent/agent-service.ts';
import { createChatService } from './chat/chat-service.ts';
import { createConversationService } from './conversation/conversation-service.ts';
import { createGeneratorRpc } from './generator/generator-service.ts';
import { createHealthRpc } from './health/health-service.ts';
import { createSessionRpc, type SessionRpcOptions } from './session/session-service.ts';
import { signedInUserOf } from './session-principal.ts';

export interface ServiceSet {
  readonly generator: GeneratorService;
  readonly keyHealth: KeyHealthService;
  readonly chat: Chat;
  readonly conversations: Conversations;
  readonly session: SessionRpcOptions;
  readonly accounts: AccountServices;
  readonly agents: Omit<AgentRuntime, 'start' | 'close'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Returns what registers every service of the product on a router. */
export function createRoutes(services: ServiceSet): (router: ConnectRouter) => void {
  return (router) => {
    router.service(GeneratorServiceDesc, createGeneratorRpc(services.generator));
    router.service(HealthService, createHealthRpc(services.keyHealth));
    router.service(ChatService, createChatService(services));
    router.service(ConversationService, createConversationService(services));
    router.service(AgentService, createAgentRpc(services.agents, services.now));
    router.service(SessionService, createSessionRpc(services.session));
    router.service(
      AdminService,
      createAdminRpc((context) => {
        const administrator = signedInUserOf(context);
        return { ...restrictAccounts(services.accounts, administrator), by: administrator.id };
      }),
    );
  };
}
