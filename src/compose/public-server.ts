import type { Config } from '../config.ts';
import { createImageSource } from '../documents/images/image-source.ts';
import type { TlsOptions } from '../http/listener.ts';
import type { Probes } from '../http/probes.ts';
import { createHttpServer, type HttpServer } from '../http/server.ts';
import type { Clock } from '../ports/clock.ts';
import type { RateCounter } from '../ports/counters.ts';
import type { ModelCatalog } from '../ports/model.ts';
import type { Random } from '../ports/random.ts';
import type { Renderer } from '../ports/renderer.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import { createGate } from '../rpc/gate/gate.ts';
import { createSessionGate } from '../rpc/gate/session-gate.ts';
import type { HealthCheck } from '../rpc/health-check.ts';
import { createRoutes } from '../rpc/routes.ts';
import { createSessionCookie } from '../rpc/session/session-cookie.ts';
import { argon2PasswordHasher } from '../secrets/argon2-password-hasher.ts';
import { createAccountServices } from '../services/accounts/account-services.ts';
import { createAdmission } from '../services/admission/admission.ts';
import type { AgentRuntime } from '../services/agent-runtime.ts';
import type { Chat } from '../services/chat/chat.ts';
import { createConversations } from '../services/conversations.ts';
import { createGeneratorService } from '../services/generator.ts';
import { createKeyHealthService } from '../services/key-health.ts';
import { createSessionService } from '../services/session/session-service.ts';
import type { Logger } from '../telemetry/logger.ts';
import { traced } from '../telemetry/tracer.ts';
import { createConnectionTester } from './connection-tester.ts';
import { logCall } from './log-call.ts';
import type { Systems } from './systems.ts';
import type { Telemetry } from './telemetry.ts';
import { watchCalls } from './watch/watch-calls.ts';

export interface PublicServerParts {
  readonly config: Config;
  readonly tls: TlsOptions | undefined;
  readonly store: Store;
  readonly renderer: Renderer;
  readonly models: ModelCatalog;
  readonly chat: Chat;
  readonly agents: AgentRuntime;
  readonly rateCounter: RateCounter;
  readonly sealer: Sealer;
  readonly systems: Systems;
  readonly health: HealthCheck;
  readonly probes: Probes;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Builds the services that callers reach, and the server in front of them. */
export function createPublicServer(parts: PublicServerParts): HttpServer {
  const { config, store, renderer, chat, agents, rateCounter, clock, random, logger } = parts;
  const { metrics, tracer, countRefusal } = parts.telemetry;
  const report = (message: string, cause: unknown) => logger.warn({ err: cause }, message);
  const addressLimits = config.ipThrottle;
  const admission = createAdmission({ store, rateCounter, clock, addressLimits, report });
  const passwords = argon2PasswordHasher;
  const session = {
    sessions: createSessionService({
      store,
      passwords,
      failureCounter: rateCounter,
      clock,
      random,
      report,
    }),
    cookie: createSessionCookie(config.publicUrl),
    origin: new URL(config.publicUrl).origin,
  };
  const accounts = createAccountServices({
    ...parts,
    passwords,
    connectionTester: createConnectionTester(parts.systems),
  });
  const generator = createGeneratorService({ renderer, imageSource: createImageSource(), clock, random });
  const keyHealth = createKeyHealthService({ clock, effectiveModels: chat.effectiveModels });
  const conversations = createConversations({ store, clock });
  const gate = createGate(admission, createSessionGate(session));
  return createHttpServer({
    routes: createRoutes({
      generator,
      keyHealth,
      chat,
      conversations,
      session,
      accounts,
      agents,
      now: clock.now,
    }),
    gate: tracer === null ? gate : (context) => traced(tracer, 'gate', {}, () => gate(context)),
    throttle: admission.throttle,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    errorsBase: config.errorsBase,
    publicUrl: config.publicUrl,
    health: parts.health,
    probes: parts.probes,
    ...(parts.tls && { tls: parts.tls }),
    log: (record) => logCall(logger, record),
    watch: watchCalls(metrics, tracer, countRefusal),
  });
}
