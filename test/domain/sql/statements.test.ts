import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkMysqlStatement } from '../../../src/domain/sql/mysql-statement.ts';
import { checkPostgresStatement } from '../../../src/domain/sql/postgres-statement.ts';
import { checkSqliteStatement } from '../../../src/domain/sql/sqlite-statement.ts';
import { mysqlSyntax, sqliteSyntax, tokenizeSql } from '../../../src/domain/sql/tokens.ts';

const texts = (tokens: ReturnType<typeof tokenizeSql>) => tokens?.map(({ kind, text }) => `${kind}:${text}`);

describe('tokens', () => {
  test('of MySQL', () => {
    const sql = "SELECT `A``b`, 'x''\\'y', \"z\" -- c\n, 1--1 # d\n/* e; */ /*! f */ /*M! g */ /*+ h */";
    expect(texts(tokenizeSql(sql, mysqlSyntax))).toEqual([
      'word:select',
      'quoted:a``b',
      'symbol:,',
      'string:',
      'symbol:,',
      'string:',
      'symbol:,',
      'word:1',
      'symbol:-',
      'symbol:-',
      'word:1',
      'hint:',
      'hint:',
      'hint:',
    ]);
  });

  test('of SQLite', () => {
    expect(texts(tokenizeSql('SELECT "A", [b]], \'\\\', 1--1\n, # `x`', sqliteSyntax))).toEqual([
      'word:select',
      'quoted:a',
      'symbol:,',
      'quoted:b',
      'symbol:]',
      'symbol:,',
      'string:',
      'symbol:,',
      'word:1',
      'symbol:,',
      'symbol:#',
      'quoted:x',
    ]);
  });

  test.for(["'a", '"a', '`a', '/* a', "'a\\'", "'a''"])('do not end in %s', (sql) => {
    expect(tokenizeSql(`SELECT ${sql}`, mysqlSyntax)).toBeUndefined();
  });

  test('are found in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (sql) => {
        for (const syntax of [mysqlSyntax, sqliteSyntax]) {
          const tokens = tokenizeSql(sql, syntax);
          expect(tokens === undefined || tokens.length <= sql.length).toBe(true);
        }
      }),
    );
  });
});

describe('a statement that reads', () => {
  const spices = fc.constantFrom('', ' ', '\n', '/* x */', '-- x\n');

  test('of MySQL stays refused however a call is spaced, cased and quoted', () => {
    const names = ['sleep', 'get_lock', 'load_file', 'benchmark', 'my_function', 'nextval'];
    const spelled = fc
      .tuple(fc.constantFrom(...names), fc.boolean(), fc.boolean())
      .map(([name, isUpper, isQuoted]) => {
        const cased = isUpper ? name.toUpperCase() : name;
        return isQuoted ? `\`${cased}\`` : cased;
      });
    fc.assert(
      fc.property(spelled, spices, spices, (name, before, between) => {
        expect(checkMysqlStatement(`SELECT${before} 1,${before}${name}${between}(1)`, 'read').ok).toBe(false);
      }),
    );
  });

  test('may end in semicolons, and hold nothing after them', () => {
    for (const check of [checkMysqlStatement, checkSqliteStatement]) {
      expect(check('SELECT 1;;  -- end', 'read')).toEqual({ ok: true, writes: false });
      expect(check('SELECT 1; x', 'read')).toMatchObject({ problem: 'only one statement is run at a time' });
    }
  });

  test('of PostgreSQL is judged however deep it is', () => {
    let tree: object = { FuncCall: { funcname: [{ String: { sval: 'pg_sleep' } }] } };
    for (let depth = 0; depth < 100_000; depth += 1)
      tree = { A_Expr: { name: [{ String: { sval: '+' } }], lexpr: tree } };
    const statement = { SelectStmt: { targetList: [{ ResTarget: { val: tree } }] } };
    expect(checkPostgresStatement([statement], 'read')).toEqual({
      ok: false,
      problem: 'the function pg_sleep is not among the allowed ones',
    });
  });

  test('of PostgreSQL holds no node that is not known', () => {
    const statement = { SelectStmt: { whereClause: { BrandNewExpr: {} } } };
    for (const access of ['read', 'write'] as const) {
      expect(checkPostgresStatement([statement], access)).toMatchObject({ ok: false });
    }
  });
});
