import { limits } from '../../domain/limits.ts';
import type { AgentAccess, AgentDependencies } from '../agent/agent-dependencies.ts';
import { changeAgent } from '../agent/change-agent.ts';

/** A fresh secret; it cannot be read again. */
export interface ConfiguredWebhook {
  /** 64 hexadecimal characters. */
  readonly secret: string;
  readonly triggerUrl: string;
  readonly secretVersion: 'v2';
  readonly note: string;
}

export interface WebhookService {
  /** Creates the secret or replaces it; an old one is invalid at once. @throws `not_found` */
  configure(agentId: string, access: AgentAccess): Promise<ConfiguredWebhook>;
  /** Clears the secret: triggers find nothing from now on. The schedule goes on. @throws `not_found` */
  remove(agentId: string, access: AgentAccess): Promise<void>;
}

/** The context that an agent's webhook secret is sealed for. */
export function webhookSecretContext(agentId: string): string {
  return `agent/${agentId}/webhook-secret`;
}

const note =
  'Store the secret now: it is not shown again. Sign "<X-Webhook-Timestamp>.<raw body>" with HMAC-SHA256, the 64 characters of the secret being the key, and send the result as hex in X-Webhook-Signature.';

/** @param publicUrl of the service, without a slash at its end */
export function createWebhookService(
  deps: AgentDependencies & { readonly publicUrl: string },
): WebhookService {
  return {
    async configure(agentId, access) {
      const secret = Buffer.from(deps.random.bytes(limits.webhook.secretBytes)).toString('hex');
      const sealedWebhookSecret = deps.sealer.seal(secret, webhookSecretContext(agentId));
      await changeAgent(deps, agentId, access, 'webhook_configure', () => ({ sealedWebhookSecret }));
      const triggerUrl = `${deps.publicUrl}/api/agents/${agentId}/webhook/trigger`;
      return { secret, triggerUrl, secretVersion: 'v2', note };
    },

    async remove(agentId, access) {
      await changeAgent(deps, agentId, access, 'webhook_remove', () => ({ sealedWebhookSecret: null }));
    },
  };
}
