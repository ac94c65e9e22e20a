import { readFileSync } from 'node:fs';
import { openAgents } from './compose/agents.ts';
import { createConnectionTester } from './compose/connection-tester.ts';
import { openCoordination } from './compose/coordination.ts';
import { openModels } from './compose/models.ts';
import { openServingStore } from './compose/store.ts';
import { openSystems, type Systems } from './compose/systems.ts';
import { createToolProviders } from './compose/tools.ts';
import type { Config, Secrets } from './config.ts';
import { createImageSource } from './documents/images/image-source.ts';
import { createDocumentPool } from './documents/pool/document-pool.ts';
import { type CallRecord, probeRoute } from './http/call-watch.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { loadTokenizer } from './models/tokenizer.ts';
import type { ConnectOptions } from './net/connect-public.ts';
import { type Clock, systemClock } from './ports/clock.ts';
import type { RateCounter } from './ports/counters.ts';
import type { ModelCatalog } from './ports/model.ts';
import { type Random, systemRandom } from './ports/random.ts';
import type { Renderer } from './ports/renderer.ts';
import type { Sealer } from './ports/sealer.ts';
import type { Store } from './ports/store.ts';
import { createGate } from './rpc/gate/gate.ts';
import { createSessionGate } from './rpc/gate/session-gate.ts';
import { createHealthCheck } from './rpc/health-check.ts';
import { createRoutes } from './rpc/routes.ts';
import { createSessionCookie } from './rpc/session/session-cookie.ts';
import { createAesGcmSealer } from './secrets/aes-gcm-sealer.ts';
import { argon2PasswordHasher } from './secrets/argon2-password-hasher.ts';
import { openSecretsKey } from './secrets/secrets-key-file.ts';
import { createAccountServices } from './services/accounts/account-services.ts';
import { createAdmission } from './services/admission/admission.ts';
import type { AgentRuntime } from './services/agent-runtime.ts';
import { type BootstrapResult, bootstrap } from './services/bootstrap.ts';
import { type Chat, createChat } from './services/chat/chat.ts';
import { createConversations } from './services/conversations.ts';
import { createGeneratorService } from './services/generator.ts';
import { createKeyHealthService } from './services/key-health.ts';
import { createSessionService } from './services/session/session-service.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';

/** Parts that tests put in place of the real ones. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly store?: Store;
  /** How the organizations' systems are reached. */
  readonly connect?: ConnectOptions;
}

export interface App {
  /** What this start created on an empty store; undefined when the store was in use. */
  readonly firstStart: BootstrapResult | undefined;
  readonly logger: Logger;
  readonly store: Store;
  listen(): Promise<{ readonly port: number }>;
  /** Stops taking calls, lets those under way finish until the configured deadline, then lets go of everything. */
  close(): Promise<void>;
}

/**
 * Builds the service from its configuration. Nothing listens yet.
 *
 * @throws ConfigError when the configuration asks for what this build does not have.
 */
export async function compose(config: Config, secrets: Secrets, overrides: Overrides = {}): Promise<App> {
  const { clock = systemClock, random = systemRandom } = overrides;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const store = overrides.store ?? (await openServingStore(config, secrets));
  const firstStart = await bootstrap({ store, passwords: argon2PasswordHasher, clock, random });
  const renderer = createDocumentPool({
    threads: config.workerThreads,
    onWorkerFault: (error) => logger.error({ err: error }, 'document worker failed'),
  });
  const report = (message: string, cause: unknown) => logger.error({ err: cause }, message);
  const tokenizer = await loadTokenizer();
  const models = openModels(config, secrets, tokenizer);
  const secretsKey = secrets.secretsKey ?? openSecretsKey(config.dataDir, random);
  const sealer = createAesGcmSealer([secretsKey, ...secrets.previousSecretsKeys], random);
  const { privateHosts } = config;
  const systems = openSystems({
    privateHosts,
    clock,
    ...(overrides.connect && { connect: overrides.connect }),
  });
  const toolProviders = createToolProviders({ store, sealer, systems, clock, random, report });
  const chat = createChat({ store, models, tokenizer, toolProviders, clock, random, report });
  await chat.recover();
  const recovery = setInterval(() => {
    chat.recover().catch((cause: unknown) => report('turns were not recovered', cause));
  }, recoveryIntervalMs);
  const coordination = await openCoordination(secrets, { store, clock, random, report });
  const { queue, rateCounter } = coordination;
  const agents = openAgents({
    queue,
    rateCounter,
    config,
    secrets,
    store,
    chat,
    models,
    sealer,
    clock,
    random,
    report,
  });
  const server = createServer({
    agents,
    rateCounter,
    config,
    store,
    renderer,
    models,
    chat,
    sealer,
    systems,
    clock,
    random,
    logger,
  });
  if (config.role !== 'api') agents.start();
  return {
    firstStart,
    logger,
    store,
    listen: () => server.listen(config.port, config.host),
    async close() {
      clearInterval(recovery);
      await Promise.all([server.close(config.shutdownTimeoutMs), agents.close(config.shutdownTimeoutMs)]);
      await chat.close(config.shutdownTimeoutMs);
      await models.close();
      await systems.close();
      await renderer.close();
      await coordination.close();
      await store.close();
    },
  };
}

/** How often what dead processes left behind is looked for. */
const recoveryIntervalMs = 60_000;

interface Parts {
  readonly config: Config;
  readonly store: Store;
  readonly renderer: Renderer;
  readonly models: ModelCatalog;
  readonly chat: Chat;
  readonly agents: AgentRuntime;
  readonly rateCounter: RateCounter;
  readonly sealer: Sealer;
  readonly systems: Systems;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

function createServer(parts: Parts): HttpServer {
  const { config, store, renderer, chat, agents, rateCounter, clock, random, logger } = parts;
  const report = (message: string, cause: unknown) => logger.warn({ err: cause }, message);
  const admission = createAdmission({
    store,
    rateCounter,
    clock,
    addressLimits: config.ipThrottle,
    report,
  });
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
    gate: createGate(admission, createSessionGate(session)),
    throttle: admission.throttle,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    errorsBase: config.errorsBase,
    publicUrl: config.publicUrl,
    health: createHealthCheck(),
    ...(config.tls !== null && {
      tls: { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
    }),
    log: (record) => logRequest(logger, record),
  });
}

function logRequest(logger: Logger, { failure, route, durationMs, ...record }: CallRecord): void {
  const { rpc, protocol } = route;
  const line = { ...record, rpc, protocol, durationMs: Math.round(durationMs * 10) / 10 };
  if (record.status >= 500 && route !== probeRoute) logger.error({ ...line, err: failure }, 'request failed');
  else logger[route === probeRoute ? 'debug' : 'info'](line, 'request');
}
