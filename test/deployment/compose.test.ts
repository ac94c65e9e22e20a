import { describe, expect, test } from 'vitest';
import { describeWith, venvProgram } from '../programs.ts';
import { readCompose, readFile, type Yaml } from './deployment-files.ts';
import { runValidator } from './run-validator.ts';

const text = readFile('compose.yaml');
const services: Record<string, Yaml> = readCompose().services;
const ownServices = ['api', 'worker'];

describeWith(
  { name: 'check-jsonschema (.venv)', path: venvProgram('check-jsonschema') },
  'by the schema of the Compose Specification, compose.yaml',
  () => {
    const faultsOf = (compose: string) =>
      runValidator(
        'check-jsonschema',
        ['--builtin-schema', 'vendor.compose-spec'],
        compose,
        /validation done/,
      );

    test('is valid', () => {
      expect(faultsOf(text)).toBe('');
    });

    test.for([
      ['an unknown field', '    networks: [public]', '    network: [public]'],
      ['a wrong type', 'replicas: 2', 'replicas: [2]'],
      ['an unknown condition', 'condition: service_healthy', 'condition: [service_healthy]'],
    ] as const)('is refused with %s', ([, from, to]) => {
      const broken = text.replace(from, to);
      expect(broken).not.toBe(text);
      expect(faultsOf(broken)).not.toBe('');
    });
  },
);

describe('compose.yaml', () => {
  test('runs two of each role', () => {
    for (const role of ownServices) {
      expect(services[role]).toMatchObject({ environment: { ROLE: role }, deploy: { replicas: 2 } });
    }
  });

  test.for(Object.keys(services))(
    '%s can change nothing but its own data, gains no rights, and has a limit',
    (name) => {
      expect(services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        deploy: { resources: { limits: { memory: expect.stringMatching(/^\d+[MG]$/) } } },
      });
      expect(services[name].privileged).toBeUndefined();
      expect(services[name].image).toMatch(/^service:local$|:\d+\.\d+(-alpine)?$/);
    },
  );

  test('every server has a health check: the image or the service says how', () => {
    for (const [name, service] of Object.entries(services)) {
      if (ownServices.includes(name) || name === 'mongodb-init') continue;
      expect(service.healthcheck?.test, name).toBeDefined();
    }
  });

  test('begins what needs something after that', () => {
    for (const role of ownServices) {
      expect(services[role].depends_on).toEqual({
        'mongodb-init': { condition: 'service_completed_successfully' },
        redis: { condition: 'service_healthy' },
      });
    }
  });

  test('opens one port, to this machine only; the stores are on a network without a way out', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port: string) => [name, port]),
    );
    expect(published).toEqual([['proxy', '127.0.0.1:8080:8080']]);
    expect(readCompose().networks.data.internal).toBe(true);
    for (const name of ['mongodb-1', 'mongodb-2', 'mongodb-3', 'redis'])
      expect(services[name].networks).toEqual(['data']);
  });

  test('makes Redis keep what it took and refuse what does not fit', () => {
    const command = services.redis.entrypoint.join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
  });

  test('holds no secret: each comes from the environment and must be there', () => {
    const secrets = [
      'MONGODB_PASSWORD',
      'MONGODB_ADMIN_PASSWORD',
      'MONGODB_KEYFILE',
      'REDIS_PASSWORD',
      'SECRETS_KEY',
    ];
    for (const name of secrets) expect(text).toContain(`\${${name}:?}`);
    expect(text).not.toMatch(/(PASSWORD|KEY|KEYFILE|AUTH): (?!\$\{)\S/);
  });
});
