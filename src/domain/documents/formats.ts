import type { DeckSpec } from './deck-spec.ts';
import type { ReportSpec } from './report-spec.ts';
import type { WordSpec } from './word-spec.ts';
import type { WorkbookSpec } from './workbook-spec.ts';

/** What each format is made from. */
export interface SpecByFormat {
  readonly xlsx: WorkbookSpec;
  readonly pdf: ReportSpec;
  readonly pptx: DeckSpec;
  readonly docx: WordSpec;
}

export type DocumentFormat = keyof SpecByFormat;
