import * as harfbuzz from 'harfbuzzjs';
import { assembleFont, type Tables } from './truetype-tables.ts';

/** A glyph as the shaping engine placed it; lengths are font units. */
export interface PlacedGlyph {
  readonly glyph: number;
  /** Its part of the text; empty for a glyph beside another one of the same part. */
  readonly text: string;
  readonly advance: number;
  readonly x: number;
  readonly y: number;
}

/**
 * Shapes the text from `start` to `end` (exclusive) as one run; what stands around it only joins it. Gives the
 * glyphs from left to right; signs that only steer layout give none, their text goes with the glyph before.
 */
export type Shape = (text: string, start: number, end: number, isRightToLeft: boolean) => PlacedGlyph[];

/** What the engine reads of a font; TrueType outlines place marks where the font itself does not. */
const shapingTables = [
  'GDEF',
  'GPOS',
  'GSUB',
  'OS/2',
  'cmap',
  'glyf',
  'head',
  'hhea',
  'hmtx',
  'kern',
  'loca',
  'maxp',
];

/** Hands a font to HarfBuzz, which copies it. */
export function openShaping(tables: Tables): Shape {
  const file = assembleFont(shapingTables.map((tag) => [tag, tables.get(tag)] as const));
  const font = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(file)));
  const run = new harfbuzz.Buffer();
  return (text, start, end, isRightToLeft) => {
    run.clearContents();
    run.setClusterLevel(harfbuzz.ClusterLevel.CHARACTERS);
    run.setFlags(harfbuzz.BufferFlag.REMOVE_DEFAULT_IGNORABLES);
    run.addText(text, start, end - start);
    run.setDirection(isRightToLeft ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
    run.guessSegmentProperties();
    harfbuzz.shape(font, run);
    return placedGlyphs(run, text, start, end, isRightToLeft);
  };
}

function placedGlyphs(
  run: harfbuzz.Buffer,
  text: string,
  start: number,
  end: number,
  isRightToLeft: boolean,
): PlacedGlyph[] {
  const positions = run.getGlyphPositions();
  const glyphs = run.getGlyphInfos().map(({ codepoint, cluster }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    return { glyph: codepoint, place: cluster, text: '', advance: xAdvance, x: xOffset, y: yOffset };
  });
  if (isRightToLeft) glyphs.reverse();
  sortMarks(glyphs);
  // Each place in the text from which a glyph comes gives its text to the first glyph there, in reading order.
  const places = [...new Set(glyphs.map(({ place }) => place))].sort((a, b) => a - b);
  const texts = new Map(
    places.map((place, index) => [place, text.slice(index === 0 ? start : place, places[index + 1] ?? end)]),
  );
  for (const glyph of glyphs) {
    glyph.text = texts.get(glyph.place) ?? '';
    texts.delete(glyph.place);
  }
  return isRightToLeft ? glyphs.reverse() : glyphs;
}

/** Puts neighbours without an advance, which stand wherever they come, in the order in which the text has them. */
function sortMarks(glyphs: { readonly place: number; readonly advance: number }[]): void {
  let from = 0;
  for (let index = 0; index <= glyphs.length; index++) {
    if (glyphs[index]?.advance === 0) continue;
    if (index - from > 1) {
      glyphs.splice(from, index - from, ...glyphs.slice(from, index).sort((a, b) => a.place - b.place));
    }
    from = index + 1;
  }
}
