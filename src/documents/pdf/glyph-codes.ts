import type { GlyphRun } from '../fonts/glyph-run.ts';
import type { DocumentFont } from './document-font.ts';
import { pdfNumber } from './pdf-text.ts';

/** The operators that show the glyphs of a run, within a text object whose font is that of the run. */
export function showGlyphs(run: GlyphRun, font: DocumentFont, size: number): string {
  return run.adjustments === undefined ? `(${codesOf(run, font)})Tj` : adjustedCodes(run, font, size);
}

function codesOf(run: GlyphRun, font: DocumentFont): string {
  let codes = '';
  for (let index = 0; index < run.glyphs.length; index++) {
    codes += font.codeOf(run.glyphs[index] ?? 0, run.texts[index] ?? '');
  }
  return codes;
}

/** Glyphs moved from where their advances put them (ISO 32000-1, 9.4.3 TJ; 9.3.7 rise). */
function adjustedCodes(run: GlyphRun, font: DocumentFont, size: number): string {
  let operators = '[';
  let codes = '';
  let shift = 0;
  let rise = 0;
  const flush = (): void => {
    if (codes !== '') operators += `(${codes})`;
    codes = '';
  };
  run.glyphs.forEach((glyph, index) => {
    const [offsetX, offsetY] = run.offsets?.[index] ?? [0, 0];
    if (offsetY !== rise) {
      flush();
      operators += `]TJ ${pdfNumber((offsetY * size) / 1000)} Ts [`;
      rise = offsetY;
    }
    shift += offsetX;
    if (Math.abs(shift) > 0.01) {
      flush();
      operators += pdfNumber(-shift);
    }
    codes += font.codeOf(glyph, run.texts[index] ?? '');
    shift = (run.adjustments?.[index] ?? 0) - offsetX;
  });
  flush();
  return `${operators}]TJ${rise === 0 ? '' : ' 0 Ts'}`;
}
