import { openAgents } from './compose/agents.ts';
import { openCoordination } from './compose/coordination.ts';
import { listenAs } from './compose/listen.ts';
import { openModels } from './compose/models.ts';
import { createPublicServer } from './compose/public-server.ts';
import { createServingStatus } from './compose/serving-status.ts';
import { stopWithin } from './compose/stop.ts';
import { openServingStore } from './compose/store.ts';
import { openSystems } from './compose/systems.ts';
import { openTelemetry } from './compose/telemetry.ts';
import { readTls } from './compose/tls.ts';
import { createToolProviders } from './compose/tools.ts';
import { countRefusedTurns } from './compose/watch/count-refusals.ts';
import { watchStore } from './compose/watch/watch-failures.ts';
import { watchModels } from './compose/watch/watch-models.ts';
import { watchRenderer } from './compose/watch/watch-renderer.ts';
import { watchRuns } from './compose/watch/watch-runs.ts';
import { watchTools } from './compose/watch/watch-tools.ts';
import type { Config, Secrets } from './config.ts';
import { createDocumentPool } from './documents/pool/document-pool.ts';
import { createAdminServer } from './http/admin-server.ts';
import { createProbes } from './http/probes.ts';
import { loadTokenizer } from './models/tokenizer.ts';
import type { ConnectOptions } from './net/connect-public.ts';
import { type Clock, systemClock } from './ports/clock.ts';
import { type Random, systemRandom } from './ports/random.ts';
import type { Store } from './ports/store.ts';
import { createAesGcmSealer } from './secrets/aes-gcm-sealer.ts';
import { argon2PasswordHasher } from './secrets/argon2-password-hasher.ts';
import { openSecretsKey } from './secrets/secrets-key-file.ts';
import { type BootstrapResult, bootstrap } from './services/bootstrap.ts';
import { createChat } from './services/chat/chat.ts';
import { createReadiness } from './services/readiness.ts';
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

export interface Listening {
  /** Of the public listener; null in a process that only works. */
  readonly port: number | null;
  readonly adminPort: number;
}

export interface App {
  /** What this start created on an empty store; undefined when the store was in use. */
  readonly firstStart: BootstrapResult | undefined;
  readonly logger: Logger;
  readonly store: Store;
  /** @throws ConfigError when an address cannot be had. */
  listen(): Promise<Listening>;
  /**
   * Says that it stops, takes no more calls, lets those under way finish, and lets go of everything, all within the
   * configured time.
   *
   * @throws Error when that was not enough; what is left ends with the process.
   */
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
  const report = (message: string, cause: unknown) => logger.error({ err: cause }, message);
  const tls = readTls(config);
  const opened = overrides.store ?? (await openServingStore(config, secrets));
  const telemetry = await openTelemetry(config, secrets, report);
  const { metrics, tracer } = telemetry;
  const store = watchStore(opened, metrics);
  const tokenizer = await loadTokenizer();
  const { models, countTokens } = watchModels(openModels(config, secrets, tokenizer), metrics, tracer);
  const secretsKey = secrets.secretsKey ?? openSecretsKey(config.dataDir, random);
  const sealer = createAesGcmSealer([secretsKey, ...secrets.previousSecretsKeys], random);
  // Shown once, so nothing that is set up wrongly may end the start after it.
  const firstStart = await bootstrap({ store, passwords: argon2PasswordHasher, clock, random });
  const systems = openSystems({
    privateHosts: config.privateHosts,
    clock,
    ...(overrides.connect && { connect: overrides.connect }),
  });
  const tools = createToolProviders({ store, sealer, systems, clock, random, report });
  const toolProviders = watchTools(tools, metrics, tracer);
  const turns = createChat({ store, models, tokenizer, toolProviders, countTokens, clock, random, report });
  const chat = countRefusedTurns(turns, telemetry.countRefusal);
  await chat.recover();
  const recovery = setInterval(() => {
    chat.recover().catch((cause: unknown) => report('turns were not recovered', cause));
  }, recoveryIntervalMs);
  const coordination = await openCoordination(secrets, { store, clock, random, report, metrics });
  const { queue, rateCounter } = coordination;
  const observer = watchRuns(queue, metrics, tracer);
  const parts = { config, tls, store, rateCounter, chat, models, sealer, clock, random };
  const agents = openAgents({ ...parts, secrets, queue, report, observer });
  const readiness = createReadiness([{ name: 'store', ping: store.ping }, ...coordination.dependencies]);
  metrics.gauge('service_dependency_up', async () =>
    (await readiness.read()).checks.map(({ name, state }) => [[name], state === 'ok' ? 1 : 0]),
  );
  const probes = createProbes(readiness.read);
  const serving = createServingStatus(readiness);
  const admin = createAdminServer({ probes, metrics: metrics.text });
  const front = config.role === 'worker' ? undefined : openFront();
  if (config.role !== 'api') agents.start();

  function openFront() {
    const pool = createDocumentPool({
      threads: config.workerThreads,
      onWorkerFault: (error) => logger.error({ err: error }, 'document worker failed'),
    });
    const renderer = watchRenderer(pool, metrics, tracer);
    const { health } = serving;
    const own = { renderer, agents, systems, health, probes, telemetry, logger };
    return { renderer, server: createPublicServer({ ...parts, ...own }) };
  }

  async function listen(): Promise<Listening> {
    const { adminHost, adminPort, host, port } = config;
    const adminNames = { hostSetting: 'ADMIN_HOST', portSetting: 'ADMIN_PORT' };
    const listening = await listenAs(admin.listen, { ...adminNames, host: adminHost, port: adminPort });
    if (front === undefined) return { port: null, adminPort: listening.port };
    await serving.follow(front.server.services);
    const names = { hostSetting: 'HOST', portSetting: 'PORT' };
    const open = await listenAs(front.server.listen, { ...names, host, port });
    return { port: open.port, adminPort: listening.port };
  }

  return {
    firstStart,
    logger,
    store: opened,
    listen,
    close() {
      readiness.stop();
      serving.stop();
      clearInterval(recovery);
      return stopWithin(config.shutdownTimeoutMs, async (deadline) => {
        const leftMs = deadline.leftMs();
        await Promise.all([front?.server.close(leftMs), agents.close(leftMs)]);
        await chat.close(deadline.leftMs());
        const flushMs = Math.min(flushMaxMs, Math.max(flushMinMs, deadline.leftMs()));
        await Promise.all([models.close(), systems.close(), front?.renderer.close(), tracer?.close(flushMs)]);
        await coordination.close();
        await store.close();
        await admin.close();
      });
    },
  };
}

/** How often what dead processes left behind is looked for. */
const recoveryIntervalMs = 60_000;
/** How long the last traces may take to be sent, as calls leave time for it. */
const flushMaxMs = 2_000;
const flushMinMs = 250;
