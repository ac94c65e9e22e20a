/** Readers of JSON that a foreign system sent: whatever is not of the expected shape is absent. */

export type Json = Readonly<Record<string, unknown>>;

/** The object at a path of names; empty when there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): Json {
  const found = valueAt(value, path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Json) : {};
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/** The text at a path, or a number's digits; null when there is neither, or nothing in it. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = valueAt(value, path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : null;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Json)[name];
  }
  return found;
}
