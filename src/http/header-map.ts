/** Headers by lower-case name, as Node has them: a list where the same name came more than once. */
export type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The Headers of the Fetch standard for a server's own use, several times as fast as the standard's: it takes Node's
 * headers as they are and checks nothing, since Node's parser has, and writeHead will.
 */
export class HeaderMap implements Headers {
  /** Made when something is changed or listed; until then the headers are those of the source. */
  #values: Map<string, string | string[]> | undefined;
  readonly #source: NodeHeaders | undefined;

  /** @param source headers of a request; they are not copied before they have to be */
  constructor(source?: NodeHeaders) {
    this.#source = source;
  }

  get(name: string): string | null {
    const value = this.#read(name.toLowerCase());
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
  }

  has(name: string): boolean {
    return this.#read(name.toLowerCase()) !== undefined;
  }

  set(name: string, value: string): void {
    this.#own().set(name.toLowerCase(), String(value));
  }

  append(name: string, value: string): void {
    const values = this.#own();
    const key = name.toLowerCase();
    const present = values.get(key);
    if (present === undefined) values.set(key, String(value));
    else if (key === 'set-cookie') values.set(key, [present, String(value)].flat());
    else values.set(key, `${present}, ${value}`);
  }

  delete(name: string): void {
    this.#own().delete(name.toLowerCase());
  }

  getSetCookie(): string[] {
    const value = this.#read('set-cookie');
    return value === undefined ? [] : [value].flat();
  }

  forEach(callback: (value: string, name: string, parent: Headers) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries(): HeadersIterator<[string, string]> {
    for (const [name, value] of [...this.#own()].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (typeof value === 'string') yield [name, value];
      else for (const each of value) yield [name, each];
    }
  }

  *keys(): HeadersIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): HeadersIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): HeadersIterator<[string, string]> {
    return this.entries();
  }

  /** Adds the headers to a record as Node's writeHead takes it. */
  copyTo(record: Record<string, string | string[]>): void {
    if (this.#values === undefined && this.#source === undefined) return;
    for (const [name, value] of this.#own()) record[name] = value;
  }

  #read(key: string): string | readonly string[] | undefined {
    if (this.#values !== undefined) return this.#values.get(key);
    const source = this.#source;
    return source !== undefined && Object.hasOwn(source, key) && !key.startsWith(':')
      ? source[key]
      : undefined;
  }

  #own(): Map<string, string | string[]> {
    if (this.#values !== undefined) return this.#values;
    const values = new Map<string, string | string[]>();
    for (const name in this.#source) {
      const value = this.#source[name];
      // Pseudo-headers of HTTP/2 are none of the caller's.
      if (value === undefined || name.startsWith(':')) continue;
      values.set(
        name,
        typeof value === 'string' ? value : name === 'set-cookie' ? [...value] : value.join(', '),
      );
    }
    this.#values = values;
    return values;
  }
}
