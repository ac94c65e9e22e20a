/** Tokens of JQL or CQL as Atlassian describes the languages: strings with backslash escapes, words, symbols. */
export type QueryToken =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'word'; readonly value: string }
  | { readonly type: 'symbol'; readonly value: string };

/** Reads a query apart from the code that wrote it. @throws Error when a string does not end or a character is loose. */
export function queryTokens(query: string): readonly QueryToken[] {
  const tokens: QueryToken[] = [];
  let rest = query;
  while (rest !== '') {
    const space = /^ +/.exec(rest);
    const word = /^[A-Za-z]+/.exec(rest);
    const symbol = /^(?:>=|!=|[=~(),])/.exec(rest);
    if (space !== null) rest = rest.slice(space[0].length);
    else if (word !== null) {
      tokens.push({ type: 'word', value: word[0] });
      rest = rest.slice(word[0].length);
    } else if (symbol !== null) {
      tokens.push({ type: 'symbol', value: symbol[0] });
      rest = rest.slice(symbol[0].length);
    } else if (rest.startsWith('"')) {
      const [value, length] = readString(rest);
      tokens.push({ type: 'string', value });
      rest = rest.slice(length);
    } else throw new Error(`loose character ${JSON.stringify(rest[0])} in ${query}`);
  }
  return tokens;
}

function readString(text: string): readonly [string, number] {
  let value = '';
  for (let index = 1; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === '"') return [value, index + 1];
    if (character === '\n' || character === '\r') throw new Error('a line break in a string');
    if (character === '\\') {
      index += 1;
      const escaped = text[index];
      if (escaped !== '\\' && escaped !== '"')
        throw new Error(`an escape that JQL does not know: \\${escaped}`);
      value += escaped;
    } else value += character;
  }
  throw new Error(`a string that does not end: ${text}`);
}

/** What a query asks for, without the values: `project in (S) AND text ~ S`. */
export function queryShape(query: string): string {
  return queryTokens(query)
    .map(({ type, value }) => (type === 'string' ? 'S' : value))
    .join(' ');
}

export function queryStrings(query: string): readonly string[] {
  return queryTokens(query).flatMap(({ type, value }) => (type === 'string' ? [value] : []));
}

/** Operators and wildcards of Lucene's language in a term of `~`; a phrase in quotes has none. */
export function luceneOperators(term: string): readonly string[] {
  const withoutEscapes = term.replaceAll(/\\./gsu, '');
  if (/^"[^"]*"$/.test(withoutEscapes)) return [];
  return withoutEscapes.match(/[-+&|!(){}[\]^"~*?:\\/<>=]|\b(?:AND|OR|NOT)\b|\s/g) ?? [];
}
