import type { ChartSurface, Paint, PathContext } from '../charts/vector/surface.ts';
import { directionsOf, visualRuns } from '../fonts/bidi.ts';
import type { Typesetter } from '../fonts/typesetter.ts';
import type { PageCanvas } from './page-canvas.ts';
import { pdfLength, pdfNumber } from './pdf-text.ts';
import { bold, regular } from './rich-text.ts';
import { baselineShare } from './theme.ts';

/** The surface of a page on which a chart is drawn. */
export function chartSurface(canvas: PageCanvas, typesetter: Typesetter): ChartSurface {
  const lookOf = (isBold: boolean | undefined) => (isBold === true ? bold : regular);
  return {
    path(draw, paint, translate = [0, 0]) {
      const operators: string[] = [];
      draw(pathContext(canvas, operators, translate));
      if (operators.length === 0) return;
      const setUp = setUpOf(canvas, paint);
      const paintPath = () => canvas.path(operators.join(' '), paint);
      if (setUp === '') paintPath();
      else canvas.isolated(setUp, paintPath);
    },
    text(text, x, y, { size, color, bold: isBold, anchor = 'start', rotation = 0 }) {
      const look = lookOf(isBold);
      const directions = directionsOf(text);
      const runs =
        directions === undefined
          ? typesetter.shape(text, look)
          : visualRuns(directions, 0, text.length).flatMap((run) =>
              typesetter.shape(text.slice(run.start, run.end), look, run.isRightToLeft),
            );
      const width = runs.reduce((sum, run) => sum + (run.width * size) / 1000, 0);
      const shift = anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width;
      const drop = size * baselineShare;
      if (rotation === 0) {
        canvas.text(runs, x - shift, y + drop, size, color);
        return;
      }
      const angle = (rotation * Math.PI) / 180;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      canvas.isolated(`${[cos, sin, -sin, cos].map(pdfNumber).join(' ')} ${canvas.point(x, y)} cm`, () =>
        canvas.text(runs, -shift, canvas.height + drop, size, color),
      );
    },
    measure: (text, size, isBold) => (typesetter.measure(text, lookOf(isBold)) * size) / 1000,
  };
}

function setUpOf(canvas: PageCanvas, paint: Paint): string {
  const parts: string[] = [];
  if (paint.opacity !== undefined) parts.push(`/${canvas.opacity(paint.opacity)} gs`);
  if (paint.dash !== undefined) parts.push(`[${paint.dash.map(pdfNumber).join(' ')}] 0 d`);
  return parts.join(' ');
}

/** Writes path methods of a canvas as path operators. */
function pathContext(
  canvas: PageCanvas,
  operators: string[],
  [dx, dy]: readonly [number, number],
): PathContext {
  let [lastX, lastY] = [0, 0];
  const place = (x: number, y: number) => canvas.point(x + dx, y + dy);
  const moveOrLine = (x: number, y: number, operator: 'm' | 'l') => {
    operators.push(`${place(x, y)} ${operator}`);
    [lastX, lastY] = [x, y];
  };
  const curve = (x1: number, y1: number, x2: number, y2: number, x: number, y: number) => {
    operators.push(`${place(x1, y1)} ${place(x2, y2)} ${place(x, y)} c`);
    [lastX, lastY] = [x, y];
  };
  return {
    beginPath() {},
    moveTo: (x, y) => moveOrLine(x, y, 'm'),
    lineTo: (x, y) => moveOrLine(x, y, operators.length === 0 ? 'm' : 'l'),
    bezierCurveTo: curve,
    quadraticCurveTo: (x1, y1, x, y) =>
      curve(
        lastX + ((x1 - lastX) * 2) / 3,
        lastY + ((y1 - lastY) * 2) / 3,
        x + ((x1 - x) * 2) / 3,
        y + ((y1 - y) * 2) / 3,
        x,
        y,
      ),
    // Only rounded corners of d3-shape use it, and charts here have none: the corner itself is the honest answer.
    arcTo: (x1, y1) => moveOrLine(x1, y1, 'l'),
    arc(x, y, radius, start, end, counterclockwise = false) {
      const turn = counterclockwise
        ? Math.max(end - start, -2 * Math.PI)
        : Math.min(end - start, 2 * Math.PI);
      moveOrLine(
        x + radius * Math.cos(start),
        y + radius * Math.sin(start),
        operators.length === 0 || operators.at(-1)?.endsWith('h') === true ? 'm' : 'l',
      );
      // A Bézier curve follows a quarter of a circle within three ten-thousandths of its radius.
      const count = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2)));
      const step = turn / count;
      const handle = (4 / 3) * Math.tan(step / 4) * radius;
      for (let index = 0; index < count; index++) {
        const from = start + index * step;
        const to = from + step;
        curve(
          x + radius * Math.cos(from) - handle * Math.sin(from),
          y + radius * Math.sin(from) + handle * Math.cos(from),
          x + radius * Math.cos(to) + handle * Math.sin(to),
          y + radius * Math.sin(to) - handle * Math.cos(to),
          x + radius * Math.cos(to),
          y + radius * Math.sin(to),
        );
      }
    },
    rect(x, y, width, height) {
      operators.push(`${place(x, y + height)} ${pdfLength(width)} ${pdfLength(height)} re`);
    },
    closePath() {
      operators.push('h');
    },
  };
}
