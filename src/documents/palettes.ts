import type { Color, PaletteName } from '../domain/documents/common.ts';

/** The colours of a palette by their use. Text on its ground keeps a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3). */
export interface Palette {
  /** Header bands, table headers, titles. */
  readonly primary: Color;
  /** Text on `primary`. */
  readonly onPrimary: Color;
  /** Underlines, rules, markers, links, the callout's edge. */
  readonly accent: Color;
  /** Body text on white and on `surface`. */
  readonly text: Color;
  /** Secondary text on white and on `surface`. */
  readonly muted: Color;
  /** Ground of cards, callouts and alternate rows. */
  readonly surface: Color;
  readonly border: Color;
  /** Chart series in order, all told apart from their neighbours and, at 3:1 or more (WCAG 2.2, 1.4.11), from white. */
  readonly series: readonly [Color, Color, Color, Color, Color, Color, Color, Color];
  readonly positive: Color;
  readonly negative: Color;
}

export const palettes: Readonly<Record<PaletteName, Palette>> = {
  corporate: {
    primary: '1F3A5F',
    onPrimary: 'FFFFFF',
    accent: '2F6FB5',
    text: '1F2933',
    muted: '52606D',
    surface: 'F2F5F9',
    border: 'CBD5E1',
    series: ['2F6FB5', 'D0801C', '3A9D74', 'B8433C', '7A5FA8', '8C6D4F', '1B9AAA', '6B7785'],
    positive: '2E8B57',
    negative: 'C0392B',
  },
  ocean: {
    primary: '0B4F6C',
    onPrimary: 'FFFFFF',
    accent: '0C7A8F',
    text: '12303D',
    muted: '47626E',
    surface: 'EEF7F9',
    border: 'BFDCE3',
    series: ['0E8FA8', 'C68630', '2D6CA2', 'E2665B', '3BA482', '6C7FB8', '75A041', '57707A'],
    positive: '2A9D74',
    negative: 'CB4B40',
  },
  forest: {
    primary: '23482F',
    onPrimary: 'FFFFFF',
    accent: '417B37',
    text: '1E2B22',
    muted: '526256',
    surface: 'F1F6F0',
    border: 'C9D8C8',
    series: ['4A8C3F', 'C5872A', '2F7F86', 'A6492F', '8A9A3B', '6B5B95', '3C6E9E', '7B746A'],
    positive: '3E8E41',
    negative: 'B5452F',
  },
  sunset: {
    primary: '7A2E3A',
    onPrimary: 'FFFFFF',
    accent: 'B45324',
    text: '33211F',
    muted: '6E5752',
    surface: 'FDF4EF',
    border: 'EBCFC2',
    series: ['D4622A', '7A4B8C', 'BC8A1D', '2F7E8D', 'B83B5E', '5E8C4A', '4C6FB0', '86706A'],
    positive: '4E8F45',
    negative: 'B4303A',
  },
  slate: {
    primary: '2D3640',
    onPrimary: 'FFFFFF',
    accent: '5B6B7C',
    text: '20262C',
    muted: '56616C',
    surface: 'F3F4F6',
    border: 'CDD3D9',
    series: ['4C6072', 'C27C3A', '6E8F84', 'A5524C', '7F78A0', 'A29344', '3F86A3', '878F98'],
    positive: '4B8A63',
    negative: 'AD4640',
  },
  finance: {
    primary: '12352F',
    onPrimary: 'FFFFFF',
    accent: '8D691A',
    text: '1C2624',
    muted: '50605C',
    surface: 'F6F5EF',
    border: 'D8D4C3',
    series: ['1E6B5C', 'B88A2A', '34568B', '9C3D3A', '6D8F3C', '7D5BA6', '2C8C99', '7A7566'],
    positive: '1E7B4F',
    negative: 'A8322D',
  },
  modern: {
    primary: '312E81',
    onPrimary: 'FFFFFF',
    accent: '7C3AED',
    text: '1E1B2E',
    muted: '5A5670',
    surface: 'F5F3FF',
    border: 'D6CFF2',
    series: ['6D3FE0', 'E0518F', '0EA3A2', 'CB8309', '3B82F6', '65A30D', 'ED6B49', '77738C'],
    positive: '0F9D6B',
    negative: 'DB3A5B',
  },
};
