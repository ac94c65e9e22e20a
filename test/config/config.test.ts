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
    });
    expect(config.workerThreads).toBeGreaterThanOrEqual(1);
    expect(secrets).toEqual({
      secretsKey: null,
      previousSecretsKeys: [],
      openaiApiKey: null,
      mongodbUrl: null,
      redisUrl: null,
      smtpUrl: null,
    });
  });

  test('takes every setting', () => {
    const { config, secrets } = parseConfig({
      HOST: '::1',
      PORT: '443',
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
    });
    expect(config).toEqual({
      host: '::1',
      port: 443,
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
    });
    expect(secrets).toEqual({
      secretsKey: new Uint8Array(32).fill(7),
      previousSecretsKeys: [new Uint8Array(32).fill(7)],
      openaiApiKey: 'sk-1',
      mongodbUrl: 'mongodb://user:pw@one:27017,two:27017/service?replicaSet=rs0',
      redisUrl: 'rediss://cache.example.com:6380/1',
      smtpUrl: 'smtps://user:pw@mail.example.com:465',
    });
  });

  test('holds no secret outside the secrets', () => {
    const env = {
      MONGODB_URL: 'mongodb://u:SECRET@h/d',
      REDIS_URL: 'redis://:SECRET@h',
      OPENAI_API_KEY: 'SECRET',
      SMTP_URL: 'smtp://u:SECRET@h',
      SECRETS_KEY: key,
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
  ] as const)('refuses %s=%s', ([name, value]) => {
    const problems = problemsOf({ SECRETS_KEY: key, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
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
