import type { ImageAsset } from '../../domain/documents/common.ts';
import type { Typesetter } from '../fonts/typesetter.ts';
import type { Palette } from '../palettes.ts';
import type { Flow } from './flow.ts';
import type { PdfDocument } from './pdf-document.ts';
import type { StructureElement, StructureTree } from './structure-tree.ts';

/** What the blocks of one report share. */
export interface ReportContext {
  readonly document: PdfDocument;
  readonly structure: StructureTree;
  readonly typesetter: Typesetter;
  readonly palette: Palette;
  readonly flow: Flow;
  readonly images: ReadonlyMap<string, ImageAsset>;
  readonly markdown: boolean;
  /** Whether the report's language runs from right to left: columns, cards and bullets then do too. */
  readonly isRightToLeft: boolean;
  /** Short ASCII sentences for the caller; a set, so that each is said once. */
  readonly warnings: Set<string>;
}

/** A part of a report that is placed as one: it may run over pages, but its beginning stays together. */
export interface Block {
  /** White space before it, unless it begins a page. */
  readonly gapBefore: number;
  /** Whether it must stand on the page where the next block begins, as a heading must. */
  readonly keepsWithNext: boolean;
  /** Height of the part at its beginning that is never parted. */
  headHeight(): number;
  draw(parent: StructureElement): void;
}
