/** A piece of a statement, without blanks and comments. */
export interface SqlToken {
  /**
   * `word`: an unquoted name, keyword or number. `quoted`: a quoted name. `string`: a literal. `symbol`: one character.
   * `hint`: a comment that a server may take for more than one.
   */
  readonly kind: 'word' | 'quoted' | 'string' | 'symbol' | 'hint';
  /** In lower case; empty for strings and hints. */
  readonly text: string;
}

export interface SqlSyntax {
  /** Whether a backslash in a string takes the next character along. */
  readonly backslashEscapes: boolean;
  /** Whether `#` begins a comment. */
  readonly hashComments: boolean;
  /** Whether `--` begins a comment only before a blank. */
  readonly dashesNeedBlank: boolean;
  /** What double quotes hold. */
  readonly doubleQuotes: 'quoted' | 'string';
  /** Whether `[name]` is a quoted name. */
  readonly brackets: boolean;
}

/** MariaDB and MySQL without ANSI_QUOTES and NO_BACKSLASH_ESCAPES (MariaDB Knowledge Base, "Lexical structure"). */
export const mysqlSyntax: SqlSyntax = {
  backslashEscapes: true,
  hashComments: true,
  dashesNeedBlank: true,
  doubleQuotes: 'string',
  brackets: false,
};

/** sqlite.org/lang_keywords.html, sqlite.org/lang_comment.html. */
export const sqliteSyntax: SqlSyntax = {
  backslashEscapes: false,
  hashComments: false,
  dashesNeedBlank: false,
  doubleQuotes: 'quoted',
  brackets: true,
};

const wordPattern = /[\w$\u0080-\uffff]+/y;
const blank = /[\t\n\v\f\r ]/;
const blankOrControl = /[\u0000-\u0020]/;

/** Splits a statement as its server would; undefined when a string, a quoted name or a comment does not end. */
export function tokenizeSql(sql: string, syntax: SqlSyntax): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < sql.length) {
    const char = sql[at] ?? '';
    const next = sql[at + 1] ?? '';
    if (blank.test(char)) {
      at += 1;
    } else if ((char === '#' && syntax.hashComments) || isDashComment(sql, at, syntax)) {
      const end = sql.indexOf('\n', at);
      at = end < 0 ? sql.length : end + 1;
    } else if (char === '/' && next === '*') {
      const end = sql.indexOf('*/', at + 2);
      if (end < 0) return undefined;
      if (/^(?:[!+]|M!)/i.test(sql.slice(at + 2, at + 4))) tokens.push({ kind: 'hint', text: '' });
      at = end + 2;
    } else if (char === "'" || char === '"' || char === '`' || (char === '[' && syntax.brackets)) {
      const isString = char === "'" || (char === '"' && syntax.doubleQuotes === 'string');
      const end = quoteEnd(sql, at, char === '[' ? ']' : char, isString && syntax.backslashEscapes);
      if (end === undefined) return undefined;
      const text = isString ? '' : sql.slice(at + 1, end - 1).toLowerCase();
      tokens.push({ kind: isString ? 'string' : 'quoted', text });
      at = end;
    } else {
      wordPattern.lastIndex = at;
      const word = wordPattern.exec(sql)?.[0];
      tokens.push({ kind: word === undefined ? 'symbol' : 'word', text: (word ?? char).toLowerCase() });
      at += (word ?? char).length;
    }
  }
  return tokens;
}

function isDashComment(sql: string, at: number, { dashesNeedBlank }: SqlSyntax): boolean {
  if (!sql.startsWith('--', at)) return false;
  return !dashesNeedBlank || at + 2 >= sql.length || blankOrControl.test(sql[at + 2] ?? '');
}

/** Returns the index after the closing quote; a doubled one does not close. */
function quoteEnd(sql: string, start: number, quote: string, backslashEscapes: boolean): number | undefined {
  for (let at = start + 1; at < sql.length; at += 1) {
    if (backslashEscapes && sql[at] === '\\') at += 1;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote || quote === ']') return at + 1;
      at += 1;
    }
  }
  return undefined;
}
