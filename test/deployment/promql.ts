import { parser } from '@prometheus-io/lezer-promql';

/** A selector of an expression: `name{label=~"value"}`. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly values: readonly string[] }[];
}

/**
 * Reads an expression of Prometheus with its own grammar.
 *
 * @throws Error when it is none.
 */
export function readSelectors(expression: string): Selector[] {
  const selectors: Selector[] = [];
  parser.parse(expression).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`no expression at ${from}: ${expression}`);
      if (name === 'VectorSelector') selectors.push(readSelector(expression.slice(from, to)));
    },
  });
  return selectors;
}

function readSelector(text: string): Selector {
  const [, metric = '', matchers = ''] = /^([\w:]+)\s*(?:\{(.*)\})?$/s.exec(text) ?? [];
  const found = matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g);
  return {
    metric,
    matchers: [...found].map(([, label = '', value = '']) => ({ label, values: value.split('|') })),
  };
}
