import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-reader.ts';
import { parseConfig } from '../../src/config.ts';

const key = Buffer.alloc(32, 7).toString('base64');

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  test('of nothing is the embedded default', () => {
    const { config, secrets } = parseConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      adminHost: '127.0.0.1',
      adminPort: 8081,
      publicUrl: 'http://127.0.0.1:8080',
      errorsBase: 'http://127.0.0.1:8080/errors',
      dataDir: './data',
      storage: 'sqlite',
      coordination: 'memory',
      role: 'all',
      production: false,
      corsOrigins: ['*'],
      trustedProxies: [],
      ipThrottle: { requestsPerMinute: 600, authFailuresPerMinute: 200 },
      tls: null,
      openaiBaseUrl: null,
      modelsFile: null,
      logLevel: 'info',
      shutdownTimeoutMs: 30_000,
      traces: null,
    });
    expect(config.workerThreads).toBeGreaterThanOrEqual(1);
    expect(secrets).toEqual({
      secretsKey: null,
      previousSecretsKeys: [],
      openaiApiKey: null,
      mongodbUrl: null,
      redisUrl: null,
      smtpUrl: null,
      traceHeaders: {},
    });
  });

  test('takes every setting', () => {
    const { config, secrets } = parseConfig({
      HOST: '::1',
      PORT: '443',
      ADMIN_HOST: '10.1.2.3',
      ADMIN_PORT: '9100',
      TLS_CERT: '/tls/cert.pem',
      TLS_KEY: '/tls/key.pem',
      ERRORS_BASE: 'https://docs.example.com/errors/',
      DATA_DIR: '/var/lib/service',
      MONGODB_URL: 'mongodb://user:pw@one:27017,two:27017/service?replicaSet=rs0',
      REDIS_URL: 'rediss://cache.example.com:6380/1',
      ROLE: 'worker',
      NODE_ENV: 'production',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,192.0.2.7',
      IP_RATE_LIMIT: '5',
      IP_AUTH_FAILURE_LIMIT: '6',
      ALLOWED_PRIVATE_HOSTS: 'Jira.internal, 10.0.0.5',
      OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/',
      OPENAI_API_KEY: 'sk-1',
      MODELS_FILE: 'models.json',
      SECRETS_KEY: key,
      SECRETS_KEY_PREVIOUS: key,
      LOG_LEVEL: 'debug',
      SHUTDOWN_TIMEOUT_MS: '0',
      WORKER_THREADS: '3',
      RUN_CONCURRENCY: '4',
      SMTP_URL: 'smtps://user:pw@mail.example.com:465',
      MAIL_FROM: 'Service <agents@example.com>',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20t, x-tenant=a',
      OTEL_SERVICE_NAME: 'gateway',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(config).toEqual({
      host: '::1',
      port: 443,
      adminHost: '10.1.2.3',
      adminPort: 9100,
      publicUrl: 'https://[::1]:443',
      errorsBase: 'https://docs.example.com/errors',
      dataDir: '/var/lib/service',
      storage: 'mongodb',
      coordination: 'redis',
      role: 'worker',
      production: true,
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.7'],
      ipThrottle: { requestsPerMinute: 5, authFailuresPerMinute: 6 },
      tls: { certFile: '/tls/cert.pem', keyFile: '/tls/key.pem' },
      privateHosts: new Set(['jira.internal', '10.0.0.5']),
      openaiBaseUrl: 'http://127.0.0.1:11434/v1',
      modelsFile: 'models.json',
      logLevel: 'debug',
      shutdownTimeoutMs: 0,
      workerThreads: 3,
      runConcurrency: 4,
      mailFrom: 'Service <agents@example.com>',
      traces: { url: 'http://collector:4318/v1/traces', serviceName: 'gateway', ratio: 0.25 },
    });
    expect(secrets).toEqual({
      secretsKey: new Uint8Array(32).fill(7),
      previousSecretsKeys: [new Uint8Array(32).fill(7)],
      openaiApiKey: 'sk-1',
      mongodbUrl: 'mongodb://user:pw@one:27017,two:27017/service?replicaSet=rs0',
      redisUrl: 'rediss://cache.example.com:6380/1',
      smtpUrl: 'smtps://user:pw@mail.example.com:465',
      traceHeaders: { authorization: 'Bearer t', 'x-tenant': 'a' },
    });
  });

  test('holds no secret outside the secrets', () => {
    const env = {
      MONGODB_URL: 'mongodb://u:SECRET@h/d',
      REDIS_URL: 'redis://:SECRET@h',
      OPENAI_API_KEY: 'SECRET',
      SMTP_URL: 'smtp://u:SECRET@h',
      SECRETS_KEY: key,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=SECRET',
    };
    const text = JSON.stringify(parseConfig(env).config);
    expect(text).not.toContain('SECRET');
    expect(text).not.toContain(key);
  });

  test('takes an empty value as none', () => {
    expect(parseConfig({ PORT: '', HOST: ' ', MONGODB_URL: '' }).config).toEqual(parseConfig({}).config);
  });

  test.for([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '0x50'],
    ['PUBLIC_URL', 'example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['ERRORS_BASE', 'https://'],
    ['MONGODB_URL', 'http://db'],
    ['REDIS_URL', 'redis://'],
    ['ROLE', 'API'],
    ['CORS_ORIGINS', 'https://app.example.com/'],
    ['CORS_ORIGINS', 'app.example.com'],
    ['TRUSTED_PROXIES', 'proxy.local'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['IP_RATE_LIMIT', '0'],
    ['IP_AUTH_FAILURE_LIMIT', 'many'],
    ['TLS_CERT', 'cert.pem'],
    ['TLS_KEY', 'key.pem'],
    ['SECRETS_KEY', 'c2hvcnQ='],
    ['SECRETS_KEY', `${key}!`],
    ['SECRETS_KEY_PREVIOUS', 'x'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_TIMEOUT_MS', '1.5'],
    ['WORKER_THREADS', '0'],
    ['ADMIN_PORT', '65536'],
    ['ADMIN_PORT', '8080'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:pw@collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ] as const)('refuses %s=%s', ([name, value]) => {
    const problems = problemsOf({ SECRETS_KEY: key, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
  });

  test.for([
    ['9000', 9001],
    ['0', 0],
    ['65535', 0],
  ] as const)('puts the admin port beside PORT=%s unless it is said', ([port, adminPort]) => {
    expect(parseConfig({ PORT: port }).config.adminPort).toBe(adminPort);
  });

  test('sends traces to the endpoint that is for them, as it is', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://one:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://two:4318/custom',
    };
    const { traces } = parseConfig(env).config;
    expect(traces).toEqual({ url: 'http://two:4318/custom', serviceName: 'service', ratio: 1 });
  });

  test('reports every problem at once, and never the value of a secret', () => {
    const problems = problemsOf({
      PORT: 'x',
      ROLE: 'y',
      MONGODB_URL: 'http://u:SECRET@h',
      SECRETS_KEY: 'SECRET',
    });
    expect(problems).toHaveLength(4);
    expect(problems.join()).not.toContain('hunter2');
  });

  test.for([
    ['NODE_ENV', 'production'],
    ['MONGODB_URL', 'mongodb://localhost/service'],
  ] as const)('with %s=%s needs a SECRETS_KEY', ([name, value]) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining('SECRETS_KEY')]);
    expect(problemsOf({ [name]: value, SECRETS_KEY: key })).toEqual([]);
  });
});
