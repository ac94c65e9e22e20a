import { describe, expect, test } from 'vitest';
import { describeWith, venvProgram } from '../programs.ts';
import { podOf, readFile, readManifests, type Yaml } from './deployment-files.ts';
import { runValidator } from './run-validator.ts';

const text = readFile('deploy/kubernetes.yaml');
const manifests = readManifests();
const roles = ['api', 'worker'] as const;

function find(kind: string, name: string): Yaml {
  return manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
}

describeWith(
  { name: 'kubernetes-validate (.venv)', path: venvProgram('kubernetes-validate') },
  "by Kubernetes' own schemas, deploy/kubernetes.yaml",
  () => {
    const faultsOf = (manifest: string, version: string) =>
      runValidator('kubernetes-validate', ['--strict', '-k', version], manifest, /passed for resource/);

    test.for(['1.30', '1.37'])('is valid in version %s', (version) => {
      expect(faultsOf(text, version)).toBe('');
    });

    test.for([
      ['an unknown field', 'readOnlyRootFilesystem', 'readOnlyRootFileSystem'],
      ['a field in the wrong place', '      serviceAccountName: service\n', '      replicas: 2\n'],
      ['a wrong type', 'maxReplicas: 10', 'maxReplicas: ten'],
      [
        'a missing field',
        'scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: api }',
        'minReplicas: 1',
      ],
      ['an unknown kind', 'kind: PodDisruptionBudget', 'kind: PodBudget'],
    ] as const)('is refused with %s', ([, from, to]) => {
      const broken = text.replace(from, to);
      expect(broken).not.toBe(text);
      expect(faultsOf(broken, '1.37')).not.toBe('');
    });
  },
);

describe('deploy/kubernetes.yaml', () => {
  test.for(roles)('%s runs without rights, on a root that it cannot write to', (role) => {
    const { pod, container } = podOf(role);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
  });

  test.for(roles)('%s is asked whether it lives and whether it is ready, on the admin port', (role) => {
    const { container } = podOf(role);
    expect(container.startupProbe.httpGet).toEqual({ path: '/livez', port: 'admin' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'admin' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'admin' });
  });

  test.for(roles)(
    '%s takes its role, and its settings from the ConfigMap and the Secret that are there',
    (role) => {
      const { container } = podOf(role);
      expect(container.env).toContainEqual({ name: 'ROLE', value: role });
      for (const { configMapRef, secretRef } of container.envFrom) {
        if (configMapRef) expect(find('ConfigMap', configMapRef.name)).toBeDefined();
        if (secretRef) expect(find('Secret', secretRef.name)).toBeDefined();
      }
    },
  );

  test.for(roles)(
    '%s is chosen by its deployment, its budget and its spread, and by nothing else',
    (role) => {
      const labels = find('Deployment', role).spec.template.metadata.labels;
      expect(find('Deployment', role).spec.selector.matchLabels).toEqual(labels);
      const selectors = [
        find('PodDisruptionBudget', role).spec.selector,
        ...podOf(role).pod.topologySpreadConstraints.map((spread: Yaml) => spread.labelSelector),
      ];
      for (const { matchLabels } of selectors) expect(labels).toMatchObject(matchLabels);
      const other = roles.find((each) => each !== role);
      for (const { matchLabels } of selectors) {
        expect(find('Deployment', other ?? '').spec.template.metadata.labels).not.toMatchObject(matchLabels);
      }
    },
  );

  test('the Service leads to API processes only, for both protocols', () => {
    const { selector, ports } = find('Service', 'service').spec;
    expect(selector).toEqual(find('Deployment', 'api').spec.template.metadata.labels);
    expect(ports.map((port: Yaml) => [port.targetPort, port.appProtocol])).toEqual([
      ['http', 'http'],
      ['http', 'kubernetes.io/h2c'],
    ]);
  });

  test('the cluster scales API processes, and the manifest does not say how many there are', () => {
    expect(find('HorizontalPodAutoscaler', 'api').spec.scaleTargetRef).toMatchObject({
      kind: 'Deployment',
      name: 'api',
    });
    expect(find('Deployment', 'api').spec.replicas).toBeUndefined();
    expect(podOf('api').container.resources.requests.cpu).toBeDefined();
  });

  test('holds no secret', () => {
    const { stringData } = find('Secret', 'service');
    for (const [name, value] of Object.entries<string>(stringData)) {
      expect(value, name).toMatch(/^$|:PASSWORD@/);
    }
  });
});
