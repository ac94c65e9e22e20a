import type { PathTemplate, TemplateVariable } from './path-template.ts';

/** Values of a template's variables as a path gives them, in the template's order; undefined where encoding is broken. */
export type CapturedValues = readonly (string | undefined)[];

export type RouteMatch<Target> =
  | { readonly kind: 'found'; readonly targets: readonly Target[]; readonly values: CapturedValues }
  /** The path is known, but not for this method; `allow` lists the methods. */
  | { readonly kind: 'wrongMethod'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

export interface RouteTable<Target> {
  /** Adds a target. Several targets on one method and template are all found, in the order in which they were added. */
  add(method: string, template: PathTemplate, target: Target): void;
  /**
   * Finds the most specific template that takes a path and a method: literals before `*` before `**`, decided from
   * left to right, and a template with a verb before one whose last segment takes the colon too. Method `*` in the
   * table takes every method; HEAD falls back to GET.
   *
   * @param path the path as sent, percent-encoded, without a query
   */
  match(method: string, path: string): RouteMatch<Target>;
}

interface Endpoint<Target> {
  readonly variables: readonly TemplateVariable[];
  readonly targets: Target[];
}

interface Node<Target> {
  readonly literals: Map<string, Node<Target>>;
  star: Node<Target> | undefined;
  rest: Node<Target> | undefined;
  /** Endpoints by verb, then by method. */
  readonly endpoints: Map<string, Map<string, Endpoint<Target>>>;
}

/** Returns an empty route table. Several templates may share a path; variables of one template keep their own names. */
export function createRouteTable<Target>(): RouteTable<Target> {
  const root = createNode<Target>();
  const verbs = new Set<string>();
  /** Endpoints of templates without variables: nothing is more specific than they are. */
  const fixed = new Map<string, Map<string, Endpoint<Target>>>();
  return {
    add(method, template, target) {
      let node = root;
      for (const segment of template.segments) node = childFor(node, segment);
      const methods = getOrInsert(node.endpoints, template.verb, () => new Map<string, Endpoint<Target>>());
      const endpoint = getOrInsert(methods, method, () => ({ variables: template.variables, targets: [] }));
      if (!sameVariables(endpoint.variables, template.variables)) {
        throw new Error(
          `${method} ${JSON.stringify(template.segments)}: two templates differ in their variables only`,
        );
      }
      endpoint.targets.push(target);
      if (template.verb !== '') verbs.add(template.verb);
      const path = fixedPath(template);
      if (path !== undefined) fixed.set(path, methods);
    },
    match(method, path) {
      const endpoint = fixed.get(path)?.get(method);
      if (endpoint !== undefined) return { kind: 'found', targets: endpoint.targets, values: [] };
      if (!path.startsWith('/')) return { kind: 'unknown' };
      const segments = path.slice(1).split('/');
      const search = new Search<Target>(method);
      const last = segments.at(-1) as string;
      const colon = verbs.size === 0 ? -1 : last.lastIndexOf(':');
      const verb = last.slice(colon + 1);
      const found =
        (colon !== -1 && verbs.has(verb)
          ? search.find(root, [...segments.slice(0, -1), last.slice(0, colon)], 0, verb)
          : undefined) ?? search.find(root, segments, 0, '');
      if (found !== undefined) return found;
      return search.allow.size > 0
        ? { kind: 'wrongMethod', allow: [...search.allow].sort() }
        : { kind: 'unknown' };
    },
  };
}

class Search<Target> {
  readonly allow = new Set<string>();
  readonly #method: string;

  constructor(method: string) {
    this.#method = method;
  }

  find(
    node: Node<Target>,
    segments: readonly string[],
    index: number,
    verb: string,
  ): (RouteMatch<Target> & { kind: 'found' }) | undefined {
    const segment = segments[index];
    if (segment === undefined) return this.#end(node, segments, verb) ?? this.#rest(node, segments, verb);
    const literal = node.literals.get(decodeSegment(segment) ?? segment);
    return (
      (literal && this.find(literal, segments, index + 1, verb)) ??
      (node.star && segment !== '' ? this.find(node.star, segments, index + 1, verb) : undefined) ??
      this.#rest(node, segments, verb)
    );
  }

  #rest(node: Node<Target>, segments: readonly string[], verb: string) {
    return node.rest === undefined ? undefined : this.#end(node.rest, segments, verb);
  }

  #end(node: Node<Target>, segments: readonly string[], verb: string) {
    const methods = node.endpoints.get(verb);
    if (methods === undefined) return undefined;
    const endpoint =
      methods.get(this.#method) ??
      (this.#method === 'HEAD' ? methods.get('GET') : undefined) ??
      methods.get('*');
    if (endpoint !== undefined) {
      const values = endpoint.variables.map((variable) => capture(variable, segments));
      return { kind: 'found', targets: endpoint.targets, values } as const;
    }
    for (const method of methods.keys()) {
      this.allow.add(method);
      if (method === 'GET') this.allow.add('HEAD');
    }
    return undefined;
  }
}

/** One segment is decoded whole; several keep `%2F`, which would else read as a border between them. */
function capture({ from, to }: TemplateVariable, segments: readonly string[]): string | undefined {
  if (to === from + 1) return decodeSegment(segments[from] as string);
  const parts = segments.slice(from, to).map((segment) =>
    segment
      .split(/(%2F)/i)
      .map((part, index) => (index % 2 === 1 ? part : decodeSegment(part)))
      .reduce((text, part) => (text === undefined || part === undefined ? undefined : text + part)),
  );
  return parts.includes(undefined) ? undefined : parts.join('/');
}

/** Returns the one path that a template takes, when it takes only one that needs no decoding. */
function fixedPath({ segments, verb }: PathTemplate): string | undefined {
  if (segments.some((segment) => typeof segment === 'string')) return undefined;
  const path = segments.map((segment) => `/${(segment as { literal: string }).literal}`).join('');
  return encodeURI(path) !== path ? undefined : verb === '' ? path : `${path}:${verb}`;
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function childFor<Target>(node: Node<Target>, segment: PathTemplate['segments'][number]): Node<Target> {
  if (segment === '*') {
    node.star ??= createNode();
    return node.star;
  }
  if (segment === '**') {
    node.rest ??= createNode();
    return node.rest;
  }
  return getOrInsert(node.literals, segment.literal, createNode<Target>);
}

function createNode<Target>(): Node<Target> {
  return { literals: new Map(), star: undefined, rest: undefined, endpoints: new Map() };
}

function getOrInsert<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function sameVariables(a: readonly TemplateVariable[], b: readonly TemplateVariable[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
