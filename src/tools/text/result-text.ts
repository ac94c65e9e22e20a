import { limits } from '../../domain/limits.ts';
import type { Random } from '../../ports/random.ts';
import type { ResultPage } from '../../ports/tracker.ts';
import { cleanText, oneLine } from './clean-text.ts';
import { excerpt } from './excerpt.ts';
import { fence } from './fence.ts';

/** A row as a model reads it; what is null is left out. */
export interface ShownRow {
  readonly fields: Readonly<Record<string, string | boolean | null>>;
  readonly text: string;
}

export interface ResultForm<Row> {
  /** `the issue tracker at https://…` */
  readonly source: string;
  /** `issue`, `page`, `mail` */
  readonly noun: string;
  readonly terms: readonly string[];
  readonly show: (row: Row) => ShownRow;
  readonly sealCursor: (cursor: string) => string;
}

const fieldChars = 300;
/** An excerpt is shortened to this before rows are left out. */
const shortestExcerptChars = 40;

/**
 * Returns a page of results for a model: what was found and how to go on in the service's own words, then one JSON
 * object a row inside a fence. At most 64 KB.
 */
export function resultText<Row>(page: ResultPage<Row>, form: ResultForm<Row>, random: Random): string {
  const count = page.rows.length;
  const found = `${count} ${form.noun}${count === 1 ? '' : 's'}${page.total === undefined ? '' : ` of ${page.total}`}`;
  const goOn =
    page.nextCursor === undefined
      ? 'There are no more.'
      : `There are more: repeat the call with page_token ${JSON.stringify(form.sealCursor(page.nextCursor))}.`;
  if (count === 0) return `Nothing was found in ${form.source}. ${goOn}`;
  return `Found ${found}. ${goOn}\n${fence(form.source, rowLines(page.rows, form), random)}`;
}

function rowLines<Row>(rows: readonly Row[], form: ResultForm<Row>): string {
  const shown = rows.map(form.show);
  let chars: number = shown.length === 1 ? limits.systems.loneExcerptChars : limits.systems.excerptChars;
  for (;;) {
    const lines = shown.map((row) => rowLine(row, form.terms, chars)).join('\n');
    if (Buffer.byteLength(lines) <= limits.systems.resultBytes || chars <= shortestExcerptChars) return lines;
    chars = Math.floor(chars / 2);
  }
}

function rowLine({ fields, text }: ShownRow, terms: readonly string[], excerptChars: number): string {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === '') return [];
    return [[name, typeof value === 'string' ? oneLine(value, fieldChars) : value] as const];
  });
  const shownText = excerpt(cleanText(text), terms, excerptChars);
  return JSON.stringify({ ...Object.fromEntries(kept), ...(shownText !== '' && { excerpt: shownText }) });
}
