import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createConfigReader } from './config/config-reader.ts';
import { readTraceSettings, type TraceSettings } from './config/trace-settings.ts';
import { limits } from './domain/limits.ts';

const roles = ['all', 'api', 'worker'] as const;
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** How this process is set up. Holds nothing secret and may be logged. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where metrics and probes are answered: without a key, so for the operator's network only. */
  readonly adminHost: string;
  /** 0: any free port. */
  readonly adminPort: number;
  /** Its address in links, without a slash at the end. */
  readonly publicUrl: string;
  /** Prefix of error type URIs, without a slash at the end. */
  readonly errorsBase: string;
  /** The embedded store's folder. */
  readonly dataDir: string;
  /** Where durable records are: `sqlite` in DATA_DIR, or `mongodb` as soon as MONGODB_URL is set. */
  readonly storage: 'sqlite' | 'mongodb';
  /** Where counters, locks and queues are: `memory`, or `redis` as soon as REDIS_URL is set. */
  readonly coordination: 'memory' | 'redis';
  readonly role: (typeof roles)[number];
  readonly production: boolean;
  /** Origins that browsers may call from; `*` alone: any. */
  readonly corsOrigins: readonly string[];
  /** Addresses and CIDR blocks whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[];
  readonly ipThrottle: { readonly requestsPerMinute: number; readonly authFailuresPerMinute: number };
  /** PEM files; null: cleartext. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Hosts, in lower case, that outgoing connections to the organizations' systems may reach at private addresses. */
  readonly privateHosts: ReadonlySet<string>;
  readonly openaiBaseUrl: string | null;
  readonly modelsFile: string | null;
  readonly logLevel: (typeof logLevels)[number];
  /** How long the process may take to end when it is told to stop, calls in flight included; milliseconds. */
  readonly shutdownTimeoutMs: number;
  /** Threads that render documents. */
  readonly workerThreads: number;
  /** Runs of agents at once. */
  readonly runConcurrency: number;
  /** Sender of mail. */
  readonly mailFrom: string;
  /** Null: nothing is traced. */
  readonly traces: TraceSettings | null;
}

/** What must never be logged. */
export interface Secrets {
  /** 32 bytes; null: not given, to be taken from or generated into DATA_DIR (`openSecretsKey`). */
  readonly secretsKey: Uint8Array | null;
  /** Keys that SECRETS_KEY replaced: what they sealed can still be opened. */
  readonly previousSecretsKeys: readonly Uint8Array[];
  readonly openaiApiKey: string | null;
  readonly mongodbUrl: string | null;
  readonly redisUrl: string | null;
  /** The mail server, with user and password; null: no mail is sent. */
  readonly smtpUrl: string | null;
  /** Sent with every export of traces; may hold a token. */
  readonly traceHeaders: Readonly<Record<string, string>>;
}

/**
 * Reads the whole configuration from environment variables.
 *
 * @throws ConfigError naming every setting that is wrong.
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config;
  readonly secrets: Secrets;
} {
  const read = createConfigReader(env);
  const host = read.text('HOST') ?? '127.0.0.1';
  const port = read.integer('PORT', 8080, 0, 65_535);
  const hasNext = port > 0 && port < 65_535;
  const adminPort = read.integer('ADMIN_PORT', hasNext ? port + 1 : 0, 0, 65_535);
  if (adminPort !== 0 && adminPort === port) read.problem('ADMIN_PORT must not be PORT');
  const certFile = read.text('TLS_CERT');
  const keyFile = read.text('TLS_KEY');
  const tls = certFile !== null && keyFile !== null ? { certFile, keyFile } : null;
  if (tls === null && (certFile !== null || keyFile !== null)) {
    read.problem('TLS_CERT and TLS_KEY must be given together');
  }
  const ownUrl = `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const publicUrl = read.url('PUBLIC_URL', ['http', 'https']) ?? ownUrl;
  const mongodbUrl = read.url('MONGODB_URL', ['mongodb', 'mongodb+srv']);
  const redisUrl = read.url('REDIS_URL', ['redis', 'rediss', 'unix']);
  const production = read.text('NODE_ENV') === 'production';
  const secretsKey = read.key('SECRETS_KEY');
  const previousSecretsKey = read.key('SECRETS_KEY_PREVIOUS');
  if (secretsKey === null && read.text('SECRETS_KEY') === null) {
    if (production) read.problem('SECRETS_KEY is required when NODE_ENV is production');
    else if (mongodbUrl !== null) read.problem('SECRETS_KEY is required together with MONGODB_URL');
  }
  const corsOrigins = read.list('CORS_ORIGINS');
  for (const origin of corsOrigins) {
    if (origin !== '*' && URL.parse(origin)?.origin !== origin) {
      read.problem(`CORS_ORIGINS must hold origins such as https://app.example.com, not "${origin}"`);
    }
  }
  const { traces, headers: traceHeaders } = readTraceSettings(read);
  const config: Config = {
    host,
    port,
    adminHost: read.text('ADMIN_HOST') ?? '127.0.0.1',
    adminPort,
    publicUrl,
    errorsBase: read.url('ERRORS_BASE', ['http', 'https']) ?? `${publicUrl}/errors`,
    dataDir: read.text('DATA_DIR') ?? './data',
    storage: mongodbUrl === null ? 'sqlite' : 'mongodb',
    coordination: redisUrl === null ? 'memory' : 'redis',
    role: read.oneOf('ROLE', roles, 'all'),
    production,
    corsOrigins: corsOrigins.length === 0 ? ['*'] : corsOrigins,
    trustedProxies: read.networks('TRUSTED_PROXIES'),
    ipThrottle: {
      requestsPerMinute: read.integer('IP_RATE_LIMIT', limits.ipThrottle.requestsPerMinute, 1, 1_000_000_000),
      authFailuresPerMinute: read.integer(
        'IP_AUTH_FAILURE_LIMIT',
        limits.ipThrottle.authFailuresPerMinute,
        1,
        1_000_000_000,
      ),
    },
    tls,
    privateHosts: new Set(read.list('ALLOWED_PRIVATE_HOSTS').map((host) => host.toLowerCase())),
    openaiBaseUrl: read.url('OPENAI_BASE_URL', ['http', 'https']),
    modelsFile: read.text('MODELS_FILE'),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    shutdownTimeoutMs: read.integer('SHUTDOWN_TIMEOUT_MS', 30_000, 0, 3_600_000),
    runConcurrency: read.integer('RUN_CONCURRENCY', 8, 1, 256),
    mailFrom: read.text('MAIL_FROM') ?? `service@${URL.parse(publicUrl)?.hostname ?? 'localhost'}`,
    workerThreads: read.integer('WORKER_THREADS', Math.max(1, availableParallelism()), 1, 256),
    traces,
  };
  const secrets: Secrets = {
    secretsKey,
    previousSecretsKeys: previousSecretsKey === null ? [] : [previousSecretsKey],
    openaiApiKey: read.text('OPENAI_API_KEY'),
    mongodbUrl,
    redisUrl,
    smtpUrl: read.url('SMTP_URL', ['smtp', 'smtps']),
    traceHeaders,
  };
  read.finish();
  return { config, secrets };
}

/** The embedded store's file in DATA_DIR. */
export function storePath(config: Config): string {
  return join(config.dataDir, 'service.db');
}
