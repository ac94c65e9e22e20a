import type { Align, CellValue, Chart, Color, ImageRef, PaletteName, TableColumn } from './common.ts';

/** Inches from the top left corner of a 13.333 by 7.5 inch slide. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface TextStyle {
  /** Points. */
  readonly fontSize?: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly color?: Color;
  readonly align?: Align | 'justify';
  readonly valign?: 'top' | 'middle' | 'bottom';
  readonly fontFace?: string;
}

export const shapeNames = [
  'rect',
  'roundRect',
  'ellipse',
  'triangle',
  'rtTriangle',
  'diamond',
  'parallelogram',
  'trapezoid',
  'pentagon',
  'hexagon',
  'octagon',
  'star5',
  'rightArrow',
  'leftArrow',
  'upArrow',
  'downArrow',
  'chevron',
  'homePlate',
  'cloud',
  'heart',
  'plus',
  'wedgeRectCallout',
] as const;
/** Preset geometries of DrawingML (ECMA-376 Part 1, 20.1.10.56). */
export type ShapeName = (typeof shapeNames)[number];

export interface LineStyle {
  readonly color?: Color;
  /** Points. */
  readonly width?: number;
  readonly dash?: 'solid' | 'dash' | 'dot';
}

export interface DeckCell {
  readonly value: CellValue;
  readonly bold?: boolean;
  readonly color?: Color;
  readonly fill?: Color;
  readonly align?: Align;
}

export interface DeckTable {
  /** Absent: there is no header row. */
  readonly columns?: readonly TableColumn[];
  /** `rows[row][column]`, all of one length. */
  readonly rows: readonly (readonly DeckCell[])[];
  readonly header: { readonly fill?: Color; readonly color?: Color; readonly bold: boolean };
  /** Points. */
  readonly fontSize?: number;
}

export type SlideElement =
  | ({ readonly type: 'text'; readonly content: string; readonly bullet: boolean } & Box & TextStyle)
  | ({
      readonly type: 'shape';
      readonly shape: ShapeName;
      readonly fill?: Color;
      readonly line?: LineStyle;
      readonly text?: string;
    } & Box &
      TextStyle)
  | ({ readonly type: 'image'; readonly image: ImageRef; readonly sizing: 'contain' | 'cover' } & Box)
  | ({ readonly type: 'table'; readonly table: DeckTable } & Box)
  | ({ readonly type: 'chart'; readonly chart: Chart } & Box)
  /** From (x1, y1) to (x2, y2), inches. */
  | ({
      readonly type: 'line';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly beginArrow: boolean;
      readonly endArrow: boolean;
    } & LineStyle);

export type SlideBackground = { readonly color: Color } | { readonly image: ImageRef };

export interface Slide {
  readonly elements: readonly SlideElement[];
  readonly background?: SlideBackground;
  readonly notes?: string;
  readonly showPageNumber: boolean;
}

export interface DeckSpec {
  readonly title: string;
  readonly subtitle?: string;
  readonly palette: PaletteName;
  /** BCP 47 tag of the deck's language. */
  readonly language: string;
  readonly slides: readonly Slide[];
}
