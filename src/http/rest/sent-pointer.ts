/**
 * Cuts a JSON pointer (RFC 6901) to the part of it that leads somewhere in a document, when it goes on inside of a value
 * without parts: a short form, such as a string in place of an object. What is missing from an object stays named.
 */
export function sentPointer(document: unknown, pointer: string): string {
  const steps = pointer.split('/').slice(1);
  let value = document;
  for (const [index, step] of steps.entries()) {
    if (value === undefined) return pointer;
    if (typeof value !== 'object' || value === null) return ['', ...steps.slice(0, index)].join('/');
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return pointer;
}
