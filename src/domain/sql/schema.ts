/** A table or view that a connection can read. Names are as a statement would write them, quoted where needed. */
export interface SqlTable {
  readonly name: string;
  readonly isView: boolean;
  readonly columns: readonly SqlColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly SqlForeignKey[];
}

export interface SqlColumn {
  readonly name: string;
  readonly type: string;
}

export interface SqlForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  /** Empty: the primary key of the table. */
  readonly referenced: readonly string[];
}

/**
 * Describes tables to a model, one a line, in at most `charsMax` characters: whole tables first, then names alone, then
 * how many are left out.
 *
 * `orders(id integer pk, customer_id integer -> customers.id, placed_at date)`
 */
export function schemaText(tables: readonly SqlTable[], charsMax: number): string {
  if (tables.length === 0) return '(no tables)';
  const lines: string[] = [];
  let charsLeft = charsMax - 80;
  let described = 0;
  for (const table of tables) {
    const line = oneLine(tableText(table));
    if (line.length + 1 > charsLeft) break;
    charsLeft -= line.length + 1;
    lines.push(line);
    described += 1;
  }
  const names: string[] = [];
  for (const table of tables.slice(described)) {
    const name = oneLine(table.name);
    if (name.length + 2 > charsLeft) break;
    charsLeft -= name.length + 2;
    names.push(name);
  }
  if (names.length > 0) lines.push(`columns not shown: ${names.join(', ')}`);
  const left = tables.length - described - names.length;
  if (left > 0) lines.push(`(${left} more tables are not shown)`);
  return lines.join('\n');
}

function tableText({ name, isView, columns, primaryKey, foreignKeys }: SqlTable): string {
  const isKey = (column: string) => primaryKey.length === 1 && primaryKey[0] === column;
  const parts = columns.map((column) => {
    const target = foreignKeys.find(
      ({ columns: [first, ...others] }) => first === column.name && !others.length,
    );
    const words = [column.name, column.type];
    if (isKey(column.name)) words.push('pk');
    if (target !== undefined) words.push('->', targetText(target));
    return words.filter((word) => word !== '').join(' ');
  });
  if (primaryKey.length > 1) parts.push(`pk (${primaryKey.join(', ')})`);
  for (const key of foreignKeys) {
    if (key.columns.length > 1) parts.push(`(${key.columns.join(', ')}) -> ${targetText(key)}`);
  }
  return `${isView ? 'view ' : ''}${name}(${parts.join(', ')})`;
}

function targetText({ table, referenced }: SqlForeignKey): string {
  if (referenced.length === 0) return table;
  return referenced.length === 1 ? `${table}.${referenced[0]}` : `${table}(${referenced.join(', ')})`;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ');
}
