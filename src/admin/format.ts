import { jsonNameOf } from '../services/accounts/field-rules.ts';
import type { CommandOutput } from './command.ts';

/** A record for printing: field names as in the API (`created_at`), times in ISO 8601. */
export type PrintedRecord = Readonly<Record<string, unknown>>;

/**
 * Returns the named fields of a record under the API's names; `createdAtMs` becomes `created_at`. Only what is named
 * is printed, so that hashes and sealed settings never are.
 */
export function printable<T extends object>(record: T, fields: readonly (keyof T & string)[]): PrintedRecord {
  return Object.fromEntries(
    fields.map((field) => {
      const isTime = field.endsWith('Ms');
      const value: unknown = record[field];
      return [
        jsonNameOf(field),
        isTime && typeof value === 'number' ? new Date(value).toISOString() : (value ?? null),
      ];
    }),
  );
}

/** One record, a line for each field. */
export function recordOutput(record: PrintedRecord): CommandOutput {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  const lines = Object.entries(record).map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`);
  return { json: record, text: lines.join('\n') };
}

/** Records as a table of some of their fields; JSON has them all. */
export function tableOutput(records: readonly PrintedRecord[], columns: readonly string[]): CommandOutput {
  const rows = [
    columns.map((name) => name.toUpperCase()),
    ...records.map((record) => cells(record, columns)),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '));
  return { json: records, text: lines.map((line) => line.trimEnd()).join('\n') };
}

function cells(record: PrintedRecord, columns: readonly string[]): string[] {
  return columns.map((name) => cell(record[name]));
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : oneLine(value.join(','));
  if (typeof value === 'object') return oneLine(usageLimitText(value) ?? JSON.stringify(value));
  return oneLine(String(value));
}

function usageLimitText(value: object): string | undefined {
  return 'unit' in value && 'limit' in value && 'window' in value
    ? `${value.unit}:${value.limit}/${value.window}`
    : undefined;
}

/** Names may hold anything; nothing of it may steer the terminal. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, '�');
}
