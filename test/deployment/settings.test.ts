import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { bytesOf, podOf, readCompose, readFile, readManifests, type Yaml } from './deployment-files.ts';
import { readImage } from './dockerfile.ts';

const compose = readCompose();
const roles = ['api', 'worker'] as const;
const image = readImage();

/** What a process of a role is given, by where it runs. */
function environmentsOf(role: 'api' | 'worker'): Record<string, Record<string, string>> {
  const dataOf = (kind: string): Yaml => readManifests().find((manifest) => manifest.kind === kind);
  const pairs = podOf(role).container.env.map(({ name, value }: Yaml) => [name, value]);
  return {
    'compose.yaml': { ...image.env, ...compose.services[role].environment },
    'kubernetes.yaml': {
      ...image.env,
      ...dataOf('ConfigMap').data,
      ...dataOf('Secret').stringData,
      ...Object.fromEntries(pairs),
    },
  };
}

/** The names that the service reads, as it reads them. */
function settingNames(): Set<string> {
  const names = new Set<string>();
  const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void names.add(String(name)) });
  parseConfig(env);
  return names;
}

const exampleSecrets = { SECRETS_KEY: Buffer.alloc(32).toString('base64') };

describe('the settings of the deployment files', () => {
  test.for(roles)('%s is given settings that the service reads, and no others', (role) => {
    const names = settingNames();
    expect(names.size).toBeGreaterThan(20);
    for (const [file, environment] of Object.entries(environmentsOf(role))) {
      for (const name of Object.keys(environment)) expect(names, `${name} in ${file}`).toContain(name);
    }
  });

  test.for(roles)('%s starts with them, as that role, on the stores of several processes', (role) => {
    for (const environment of Object.values(environmentsOf(role))) {
      // What `${NAME:-value}` gives when nothing is set; a name that must be set stands for itself.
      const env = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.replace(/\$\{\w+(?::-([^}]*)|:\?)?\}/g, (_, fallback = 'x') => fallback),
        ]),
      );
      const { config } = parseConfig({ ...env, ...exampleSecrets });
      expect(config).toMatchObject({
        role,
        production: true,
        storage: 'mongodb',
        coordination: 'redis',
        host: '0.0.0.0',
        adminHost: '0.0.0.0',
      });
    }
  });

  test('agree on the ports', () => {
    const { config } = parseConfig({ ...image.env, ...exampleSecrets });
    const ports = [config.port, config.adminPort];
    expect(image.ports).toEqual(ports);
    const containerPorts = (role: 'api' | 'worker') =>
      podOf(role).container.ports.map((port: Yaml) => port.containerPort);
    expect(containerPorts('api')).toEqual(ports);
    expect(containerPorts('worker')).toEqual([config.adminPort]);
    const policy = readManifests().find(({ kind }) => kind === 'NetworkPolicy');
    expect(policy.spec.ingress.map((rule: Yaml) => rule.ports[0].port)).toEqual(ports);
    const proxy = readFile('deploy/haproxy.cfg');
    expect(proxy).toContain(`api:${config.port} proto h2`);
    expect(proxy).toContain(`port ${config.adminPort} inter`);
    expect(compose.services.proxy.ports).toEqual([`127.0.0.1:${config.port}:8080`]);
  });

  test.for(roles)('%s is given longer to stop than it takes', (role) => {
    const { 'compose.yaml': composed, 'kubernetes.yaml': kubernetes } = environmentsOf(role);
    const { pod, container } = podOf(role);
    const pauseSeconds = container.lifecycle?.preStop.sleep.seconds ?? 0;
    const marginSeconds = 5;
    const neededFor = (environment: Record<string, string> = {}) =>
      Number(environment.SHUTDOWN_TIMEOUT_MS) / 1_000 + marginSeconds;
    expect(Number.parseInt(compose.services[role].stop_grace_period, 10)).toBeGreaterThanOrEqual(
      neededFor(composed),
    );
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(neededFor(kubernetes) + pauseSeconds);
  });

  test.for(roles)('%s has the same memory and threads wherever it runs', (role) => {
    const { container } = podOf(role);
    const limit = bytesOf(compose.services[role].deploy.resources.limits.memory);
    expect(bytesOf(container.resources.limits.memory)).toBe(limit);
    const threads = Object.values(environmentsOf(role)).map((environment) => environment.WORKER_THREADS);
    expect(new Set(threads).size).toBe(1);
  });

  test('trust the network that the proxy is in, and only that', () => {
    const [{ subnet }] = compose.networks.public.ipam.config;
    expect(compose.services.api.environment.TRUSTED_PROXIES).toBe(subnet);
  });
});
