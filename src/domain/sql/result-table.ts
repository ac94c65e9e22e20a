/** Rows of a result as a model reads them. */
export interface ResultTable {
  /** Adds a row, each cell as JSON text; false: the table was full and took nothing, or only part of it. */
  add(cells: readonly string[]): boolean;
  readonly isFull: boolean;
  /** `closing` is said after the rows when all of them are there. */
  text(closing?: string): string;
}

export interface TableLimits {
  readonly rows: number;
  /** UTF-8, of the whole text. */
  readonly resultBytes: number;
}

/** Room for the closing remark. */
const closingBytes = 200;

/**
 * Returns an empty table. Its text is JSON lines: an array of the column names, then one array a row, then a remark in
 * parentheses that says how many rows these are and whether there are more.
 */
export function createResultTable(columns: readonly string[], limits: TableLimits): ResultTable {
  const lines: string[] = [];
  let bytesLeft = limits.resultBytes - closingBytes;
  let cutBy: 'rows' | 'bytes' | undefined;

  function addLine(line: string): boolean {
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > bytesLeft) return false;
    bytesLeft -= bytes;
    lines.push(line);
    return true;
  }

  const header = `[${columns.map((name) => JSON.stringify(name)).join(',')}]`;
  if (!addLine(header)) lines.push(shortenedTo(header, bytesLeft));

  return {
    get isFull() {
      return cutBy !== undefined;
    },

    add(cells) {
      if (cutBy !== undefined) return false;
      if (lines.length > limits.rows) {
        cutBy = 'rows';
        return false;
      }
      const line = `[${cells.join(',')}]`;
      if (addLine(line)) return true;
      cutBy = 'bytes';
      // Without any of the first row, a model could not see what it is that takes the room.
      if (lines.length === 1) lines.push(shortenedTo(line, bytesLeft));
      return false;
    },

    text(closing) {
      const rows = lines.length - 1;
      const count = `${rows} ${rows === 1 ? 'row' : 'rows'}`;
      const remark = {
        rows: `first ${count}; there are more: aggregate, filter or use LIMIT and OFFSET`,
        bytes: `first ${count}, cut at ${limits.resultBytes} bytes: select fewer or shorter columns, or filter`,
      };
      return [...lines, `(${cutBy === undefined ? (closing ?? count) : remark[cutBy]})`].join('\n');
    },
  };
}

/** Cuts a text at a number of bytes; a character is never split. */
function shortenedTo(text: string, bytes: number): string {
  const ellipsis = '…';
  const room = Math.max(0, bytes - Buffer.byteLength(ellipsis) - 1);
  const { written, read } = new TextEncoder().encodeInto(text.slice(0, room), new Uint8Array(room));
  return written === 0 ? ellipsis : text.slice(0, read) + ellipsis;
}
