import type { Color } from '../../../domain/documents/common.ts';
import { type Box, type ChartSurface, fitLabel } from './surface.ts';

export interface LegendEntry {
  readonly label: string;
  readonly color: Color;
  readonly isLine?: boolean;
}

export type LegendPosition = 'top' | 'right' | 'bottom' | 'left';

/** A legend measured for its chart: the room that is left beside it, and how to draw it. */
export interface Legend {
  readonly rest: Box;
  draw(): void;
}

const size = 8.5;
const rowHeight = 14;
const mark = 8;
const markGap = 5;
const entryGap = 14;
/** More entries are counted in a row of their own, unless that row can hold them. */
const rowsMax = 3;

/** Places a legend at a side of the box: in rows above or below, in a column beside. */
export function placeLegend(
  surface: ChartSurface,
  entries: readonly LegendEntry[],
  position: LegendPosition,
  box: Box,
  textColor: Color,
): Legend {
  return position === 'top' || position === 'bottom'
    ? placeRows(surface, entries, position, box, textColor)
    : placeColumn(surface, entries, position, box, textColor);
}

interface PlacedEntry {
  readonly entry: LegendEntry;
  readonly text: string;
  readonly width: number;
}

function placeRows(
  surface: ChartSurface,
  entries: readonly LegendEntry[],
  position: 'top' | 'bottom',
  box: Box,
  textColor: Color,
): Legend {
  const widest = Math.min(box.width, 180) - mark - markGap;
  const rows: PlacedEntry[][] = [[]];
  let used = 0;
  for (const entry of entries) {
    const text = fitLabel(surface, entry.label, widest, size);
    const width = mark + markGap + surface.measure(text, size);
    if (used > 0 && used + entryGap + width > box.width) {
      if (rows.length === rowsMax + 1) {
        rows.pop();
        break;
      }
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push({ entry, text, width });
    used += (used === 0 ? 0 : entryGap) + width;
  }
  const hidden = entries.length - rows.reduce((count, row) => count + row.length, 0);
  const height = rows.length * rowHeight + (hidden > 0 ? rowHeight : 0) + 6;
  const top = position === 'top' ? box.y : box.y + box.height - height + 6;
  return {
    rest: {
      ...box,
      y: position === 'top' ? box.y + height : box.y,
      height: box.height - height,
    },
    draw() {
      rows.forEach((row, index) => {
        const width = row.reduce((sum, placed) => sum + placed.width, (row.length - 1) * entryGap);
        let x = box.x + (box.width - width) / 2;
        for (const placed of row) {
          drawEntry(surface, placed, x, top + index * rowHeight + rowHeight / 2, textColor);
          x += placed.width + entryGap;
        }
      });
      if (hidden > 0) {
        const y = top + rows.length * rowHeight + rowHeight / 2;
        surface.text(`+ ${hidden}`, box.x + box.width / 2, y, { size, color: textColor, anchor: 'middle' });
      }
    },
  };
}

function placeColumn(
  surface: ChartSurface,
  entries: readonly LegendEntry[],
  position: 'left' | 'right',
  box: Box,
  textColor: Color,
): Legend {
  const widthMax = box.width * 0.38;
  const visible = Math.max(1, Math.floor(box.height / rowHeight));
  const hidden = entries.length > visible ? entries.length - visible + 1 : 0;
  const shown = entries.slice(0, entries.length - hidden).map((entry) => {
    const text = fitLabel(surface, entry.label, widthMax - mark - markGap, size);
    return { entry, text, width: mark + markGap + surface.measure(text, size) };
  });
  const width = shown.reduce((most, placed) => Math.max(most, placed.width), 0);
  const x = position === 'left' ? box.x : box.x + box.width - width;
  const height = (shown.length + (hidden > 0 ? 1 : 0)) * rowHeight;
  const top = box.y + (box.height - height) / 2;
  const gap = 18;
  return {
    rest: { ...box, x: position === 'left' ? box.x + width + gap : box.x, width: box.width - width - gap },
    draw() {
      shown.forEach((placed, index) => {
        drawEntry(surface, placed, x, top + index * rowHeight + rowHeight / 2, textColor);
      });
      if (hidden > 0) {
        const y = top + shown.length * rowHeight + rowHeight / 2;
        surface.text(`+ ${hidden}`, x + mark + markGap, y, { size, color: textColor });
      }
    },
  };
}

function drawEntry(surface: ChartSurface, placed: PlacedEntry, x: number, y: number, textColor: Color): void {
  const { color, isLine } = placed.entry;
  if (isLine === true) {
    surface.path(
      (path) => {
        path.moveTo(x - 1, y);
        path.lineTo(x + mark + 1, y);
      },
      { stroke: color, width: 2 },
    );
  } else {
    surface.path((path) => path.rect(x, y - mark / 2, mark, mark), { fill: color });
  }
  surface.text(placed.text, x + mark + markGap, y, { size, color: textColor });
}
