import { describe, expect, test } from 'vitest';
import { type Palette, palettes } from '../../src/documents/palettes.ts';
import { type Color, paletteNames } from '../../src/domain/documents/common.ts';

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const textPairs: readonly (readonly [what: string, pair: (palette: Palette) => readonly [Color, Color]])[] = [
  ['text on the header band', (palette) => [palette.onPrimary, palette.primary]],
  ['body text on white', (palette) => [palette.text, 'FFFFFF']],
  ['body text on a card', (palette) => [palette.text, palette.surface]],
  ['secondary text on white', (palette) => [palette.muted, 'FFFFFF']],
  ['secondary text on a card', (palette) => [palette.muted, palette.surface]],
  ['headings on white', (palette) => [palette.primary, 'FFFFFF']],
  ['headings on a card', (palette) => [palette.primary, palette.surface]],
  ['links on white', (palette) => [palette.accent, 'FFFFFF']],
  ['links on a callout', (palette) => [palette.accent, palette.surface]],
];

describe.for(paletteNames)('palette %s', (name) => {
  test.for(textPairs)('keeps 4.5:1 for %s', ([, pair]) => {
    expect(contrast(...pair(palettes[name]))).toBeGreaterThanOrEqual(4.5);
  });

  test('keeps 3:1 between white and every mark of a chart', () => {
    const { series, positive, negative } = palettes[name];
    for (const color of [...series, positive, negative]) {
      expect(contrast(color, 'FFFFFF'), color).toBeGreaterThanOrEqual(3);
    }
  });

  test('has no series colour twice', () => {
    expect(new Set(palettes[name].series).size).toBe(8);
  });
});

test('no two palettes share their leading colours', () => {
  for (const use of ['primary', 'accent', 'surface'] as const) {
    expect(new Set(paletteNames.map((name) => palettes[name][use])).size).toBe(paletteNames.length);
  }
});
