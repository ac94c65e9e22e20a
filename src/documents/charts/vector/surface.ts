import type { Color } from '../../../domain/documents/common.ts';

/** What d3-shape draws into: the path methods of a canvas (d3-path's CanvasPath). */
export interface PathContext {
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  quadraticCurveTo(x1: number, y1: number, x: number, y: number): void;
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void;
  arc(x: number, y: number, radius: number, start: number, end: number, counterclockwise?: boolean): void;
  rect(x: number, y: number, width: number, height: number): void;
  closePath(): void;
}

export interface Paint {
  readonly fill?: Color;
  readonly stroke?: Color;
  /** Points. */
  readonly width?: number;
  /** 0 to 1; only for what is filled and stroked here. */
  readonly opacity?: number;
  /** Lengths of dash and gap. */
  readonly dash?: readonly [number, number];
}

export interface Label {
  readonly size: number;
  readonly color: Color;
  readonly bold?: boolean;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Degrees, counterclockwise, about the label's own place. */
  readonly rotation?: number;
}

/** What a chart is drawn on. Lengths are points, from the top left corner of the page. */
export interface ChartSurface {
  /** Draws one path; `translate` moves what the callback draws. */
  path(draw: (path: PathContext) => void, paint: Paint, translate?: readonly [number, number]): void;
  /** Draws a line of text whose letters stand about the height `y`. */
  text(text: string, x: number, y: number, label: Label): void;
  /** The width of a line of text, in points. */
  measure(text: string, size: number, bold?: boolean): number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Cuts a text to a width in its middle, so that its beginning and its end both stay. */
export function fitLabelEnds(surface: ChartSurface, text: string, width: number, size: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (surface.measure(line.slice(0, 200), size) <= width && line.length <= 200) return line;
  const signs = Array.from(line.length > 400 ? line.slice(0, 200) + line.slice(-200) : line);
  const cut = (kept: number) => {
    const head = signs
      .slice(0, Math.ceil(kept / 2))
      .join('')
      .trimEnd();
    const tail = signs
      .slice(signs.length - Math.floor(kept / 2))
      .join('')
      .trimStart();
    return `${head}…${tail}`;
  };
  let low = 0;
  let high = Math.min(200, signs.length - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (surface.measure(cut(middle), size) <= width) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : cut(low);
}

/** Cuts a text to a width, with an ellipsis when something was cut off. */
export function fitLabel(surface: ChartSurface, text: string, width: number, size: number): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 200);
  if (line === text && surface.measure(line, size) <= width) return line;
  if (line.length < 200 && surface.measure(line, size) <= width) return line;
  const signs = Array.from(line);
  let low = 0;
  let high = signs.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const fits = surface.measure(`${signs.slice(0, middle).join('').trimEnd()}…`, size) <= width;
    if (fits) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : `${signs.slice(0, low).join('').trimEnd()}…`;
}
