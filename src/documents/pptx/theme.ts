import type { Color } from '../../domain/documents/common.ts';
import type { Palette } from '../palettes.ts';

/**
 * Gives a theme a palette's colours: what the palette decides by default is said by theme slot in the slides, and
 * what someone adds to the deck later matches (ECMA-376 Part 1, 20.1.6.2).
 */
export function themePart(theme: string, name: string, palette: Palette): string {
  const slots: readonly (readonly [string, Color])[] = [
    ['dk1', palette.text],
    ['lt1', 'FFFFFF'],
    ['dk2', palette.primary],
    ['lt2', palette.surface],
    ...palette.series.slice(0, 6).map((color, index): [string, Color] => [`accent${index + 1}`, color]),
    ['hlink', palette.accent],
    ['folHlink', palette.muted],
  ];
  const colors = slots.map(([slot, color]) => `<a:${slot}><a:srgbClr val="${color}"/></a:${slot}>`).join('');
  return theme
    .replace(/<a:clrScheme .*<\/a:clrScheme>/s, `<a:clrScheme name="${name}">${colors}</a:clrScheme>`)
    .replace(/(<a:theme [^>]*name=")[^"]*"/, `$1${name}"`)
    .replace(/<a:extLst>.*<\/a:extLst>(?=<\/a:theme>)/s, '');
}
