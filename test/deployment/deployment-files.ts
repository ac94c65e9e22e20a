import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, parse as parseYaml } from 'yaml';

export const root = join(import.meta.dirname, '../..');

export function readFile(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into files whose form a schema holds
export type Yaml = any;

export function readCompose(): Yaml {
  return parseYaml(readFile('compose.yaml'), { merge: true });
}

/** The objects of the Kubernetes manifest. */
export function readManifests(): Yaml[] {
  return parseAllDocuments(readFile('deploy/kubernetes.yaml')).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/** An alert of Prometheus. */
export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

export function readRules(): readonly Rule[] {
  return parseYaml(readFile('deploy/alerts.yaml')).groups[0].rules;
}

/** The pod of a deployment and its one container. */
export function podOf(role: 'api' | 'worker'): { readonly pod: Yaml; readonly container: Yaml } {
  const isIt = ({ kind, metadata }: Yaml) => kind === 'Deployment' && metadata.name === role;
  const pod = readManifests().find(isIt).spec.template.spec;
  return { pod, container: pod.containers[0] };
}

/** Bytes of an amount of memory as Compose (`2G`) and Kubernetes (`2Gi`) write it. */
export function bytesOf(amount: string): number {
  const [, number, unit] = /^(\d+)(M|G)i?$/.exec(amount) ?? [];
  if (number === undefined) throw new Error(`${amount} is no amount of memory`);
  return Number(number) * (unit === 'G' ? 1_073_741_824 : 1_048_576);
}
