import { compileFormatCode } from '../../domain/documents/format-code.ts';
import { instantOfExcelDate } from './excel-date.ts';

/** Whether a format code shows a date or a time: it has a date letter outside quotes, brackets and escapes. */
export function isDateCode(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general|e[+-]/gi, '');
  return /[ymdhs]/i.test(bare);
}

/** Returns the number of a cell as a spreadsheet shows it under a format code; day numbers as their date. */
export function displayedValue(value: number, code: string): string {
  return compileFormatCode(code)(isDateCode(code) ? instantOfExcelDate(value) : value);
}
