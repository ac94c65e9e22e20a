import type { Binding } from './binding.ts';

/**
 * Chooses among the methods that share a path: the streaming one when the client accepts `text/event-stream`, else the
 * unary one. Where there is no choice, Accept does not matter.
 */
export function chooseTarget(targets: readonly Binding[], accept: string | undefined): Binding {
  const [first, ...others] = targets;
  if (first === undefined) throw new Error('a route has a target');
  if (others.length === 0) return first;
  const wanted = acceptsEventStream(accept ?? '') ? 'server_streaming' : 'unary';
  return targets.find(({ spec }) => spec.kind === wanted) ?? first;
}

/** Tells whether `text/event-stream` is named among the accepted types with a weight above 0 (RFC 9110, section 12.5.1). */
export function acceptsEventStream(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';');
    if (type.trim().toLowerCase() !== 'text/event-stream') return false;
    const weight = parameters
      .map((text) => /^\s*q\s*=\s*(\S*)\s*$/i.exec(text)?.[1])
      .find((q) => q !== undefined);
    return weight === undefined || Number(weight) > 0;
  });
}
