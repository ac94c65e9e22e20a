const escapeLike = /_x([0-9A-Fa-f]{4})_/g;

/** Returns text as a cell stores it: what reads as an escape (`_x000D_`) is kept literal (ECMA-376 Part 1, 22.9.2.19). */
export function sheetText(text: string): string {
  const unix = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return unix.includes('_x') ? unix.replace(escapeLike, '_x005F_x$1_') : unix;
}
