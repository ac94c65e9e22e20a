import { cleanText } from './clean-text.ts';

/** A string of JQL or CQL: the backslash is escaped before the quote, so that no escape can be undone. */
export function quoted(value: string): string {
  const line = cleanText(value).replaceAll(/\s+/g, ' ').trim();
  return `"${line.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/**
 * What `~` looks for: a phrase in quotes, or a word with everything escaped that Lucene's query language knows (so that
 * it is neither an operator nor a wildcard).
 */
export function luceneTerm(term: string): string {
  if (/\s/.test(term)) return `"${term.replaceAll(/[\\"]/g, '\\$&')}"`;
  // AND, OR and NOT are operators in upper case only.
  return term.toLowerCase().replaceAll(/[\\+\-&|!(){}[\]^"~*?:/<>=]/g, '\\$&');
}
