import type { SheetPlan } from './sheet-plan.ts';
import type { WorkbookTheme } from './sheet-styles.ts';
import { textWidth } from './text-width.ts';

export const logoHeightPx = 52;
const pointsPerPixel = 0.75;
/** The format's limit. */
const heightMax = 409;

/** Returns the height of a row of one line, points: 15 for the default font of 11. */
export function defaultRowHeight(theme: WorkbookTheme): number {
  return Math.round((theme.fontSize * 15 * 4) / 11) / 4;
}

/**
 * Returns the heights of the rows that are not of one line: logo, title, spacer, header, and data rows whose text
 * wraps. They are written out, as not every program measures wrapped text when it opens a file.
 */
export function rowHeights(plan: SheetPlan, theme: WorkbookTheme): ReadonlyMap<number, number> {
  const heights = new Map<number, number>();
  const above = plan.titleRow ?? plan.logoRow;
  if (plan.logoRow !== undefined) heights.set(plan.logoRow, logoHeightPx * pointsPerPixel + 6);
  if (plan.titleRow !== undefined) heights.set(plan.titleRow, Math.round((theme.fontSize + 6) * 1.8));
  if (above !== undefined) heights.set(above + 1, 8);
  const line = defaultRowHeight(theme);
  const room = plan.widths.map((width) => Math.max(4, ((width - 2) * 11) / theme.fontSize));
  const headerLines = plan.columns.map(({ header }, index) =>
    // Bold letters are wider, and the filter's button takes two characters.
    wrappedLines(header, ((room[index] ?? 4) - 2) / 1.1),
  );
  heights.set(plan.headerRow, capped(Math.max(...headerLines, 1) * line + 8));
  const wrapping = plan.columns.flatMap(({ wrap }, index) => (wrap ? [index] : []));
  if (wrapping.length === 0) return heights;
  for (const [index, row] of plan.cells.entries()) {
    let lines = 1;
    for (const column of wrapping) {
      const value = row[column];
      if (typeof value === 'string') lines = Math.max(lines, wrappedLines(value, room[column] ?? 4));
    }
    if (lines > 1) heights.set(plan.firstRow + index, capped(lines * line + 2));
  }
  return heights;
}

/** A little is forgiven, as most letters are narrower than a digit. */
function wrappedLines(text: string, room: number): number {
  if (!text.includes('\n')) return Math.max(1, Math.ceil(textWidth(text) / room - 0.05));
  return text.split('\n').reduce((sum, part) => sum + wrappedLines(part, room), 0);
}

function capped(height: number): number {
  return Math.min(heightMax, Math.round(height * 4) / 4);
}
