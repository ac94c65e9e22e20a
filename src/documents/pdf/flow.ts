import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Palette } from '../palettes.ts';
import type { PageCanvas } from './page-canvas.ts';
import { theme } from './theme.ts';

/** Where the next thing goes. Lengths are points from the top left corner of the page. */
export interface Flow {
  readonly canvas: PageCanvas;
  y: number;
  readonly left: number;
  readonly width: number;
  /** Where content starts on pages after the first. */
  readonly top: number;
  /** Where content must end. */
  readonly bottom: number;
  /** Height left on this page. */
  room(): number;
  /** Height of a page that has nothing yet but its margins. */
  pageHeight(): number;
  /** @throws `spec_invalid` when the report is longer than `limits.pdf.pages`. */
  newPage(): void;
  /** Turns the page unless `height` fits on this one, or the page is still empty. */
  ensure(height: number): void;
}

export function createFlow(
  addPage: (index: number) => PageCanvas,
  palette: Palette,
): Flow & { readonly pages: PageCanvas[] } {
  const first = addPage(0);
  const pages = [first];
  let canvas = first;
  const flow = {
    pages,
    get canvas() {
      return canvas;
    },
    y: theme.margin.top,
    left: theme.margin.side,
    width: first.width - 2 * theme.margin.side,
    top: theme.margin.top,
    bottom: first.height - theme.margin.bottom,
    room: () => flow.bottom - flow.y,
    pageHeight: () => flow.bottom - flow.top,
    newPage() {
      if (pages.length >= limits.pdf.pages) {
        const title = `pdf: the report is longer than ${limits.pdf.pages} pages`;
        throw new ServiceError('spec_invalid', { title, detail: title });
      }
      canvas.settle();
      canvas = addPage(pages.length);
      pages.push(canvas);
      canvas.artifact(() => canvas.rectangle(0, 0, canvas.width, 6, palette.primary), 'Pagination');
      flow.y = flow.top;
    },
    ensure(height: number) {
      // A hair of tolerance: sums of line heights differ from their product in the last bit.
      if (height > flow.room() + 0.01 && flow.y > flow.top) flow.newPage();
    },
  };
  return flow;
}
