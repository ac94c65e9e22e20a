import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeChart } from '../../../../src/documents/charts/vector/describe-chart.ts';
import { drawChart, hasValues } from '../../../../src/documents/charts/vector/draw-chart.ts';
import type { ChartSurface, Paint, PathContext } from '../../../../src/documents/charts/vector/surface.ts';
import { palettes } from '../../../../src/documents/palettes.ts';
import { type Chart, chartTypes } from '../../../../src/domain/documents/common.ts';

interface Drawing {
  readonly texts: {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly anchor: unknown;
  }[];
  readonly points: (readonly [number, number])[];
  readonly rectangles: { readonly box: readonly number[]; readonly paint: Paint }[];
  readonly paths: number;
}

const box = { x: 50, y: 100, width: 500, height: 222 };

function draw(chart: Chart): Drawing {
  const drawing = { texts: [], points: [], rectangles: [], paths: 0 } as {
    -readonly [Key in keyof Drawing]: Drawing[Key];
  };
  const surface: ChartSurface = {
    path(build, paint, [dx, dy] = [0, 0]) {
      drawing.paths += 1;
      const add = (x: number, y: number) => drawing.points.push([x + dx, y + dy]);
      const path: PathContext = {
        beginPath() {},
        closePath() {},
        moveTo: add,
        lineTo: add,
        bezierCurveTo: (_x1, _y1, _x2, _y2, x, y) => add(x, y),
        quadraticCurveTo: (_x1, _y1, x, y) => add(x, y),
        arcTo: (x, y) => add(x, y),
        arc(x, y, radius) {
          add(x - radius, y - radius);
          add(x + radius, y + radius);
        },
        rect(x, y, width, height) {
          add(x, y);
          add(x + width, y + height);
          drawing.rectangles.push({ box: [x, y, width, height], paint });
        },
      };
      build(path);
    },
    text: (text, x, y, { anchor }) => drawing.texts.push({ text, x, y, anchor }),
    measure: (text, size) => text.length * size * 0.55,
  };
  drawChart(surface, chart, box, palettes.corporate);
  return drawing;
}

function chart(type: Chart['type'], data: (number | null)[], rest: Partial<Chart> = {}): Chart {
  return {
    type,
    labels: data.map((_, index) => `L${index}`),
    datasets: [{ label: 'Series', data }],
    options: {},
    ...rest,
  };
}

const anyChart: fc.Arbitrary<Chart> = fc
  .record({ type: fc.constantFrom(...chartTypes), labels: fc.array(fc.string(), { maxLength: 40 }) })
  .chain(({ type, labels }) =>
    fc.record({
      type: fc.constant(type),
      labels: fc.constant(labels),
      datasets: fc.array(
        fc.record({
          label: fc.string(),
          data: fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), {
            maxLength: labels.length,
          }),
        }),
        { maxLength: 12 },
      ),
      options: fc.record(
        {
          legend: fc.boolean(),
          legendPosition: fc.constantFrom('top', 'right', 'bottom', 'left'),
          dataLabels: fc.boolean(),
          yAxisTitle: fc.string(),
          secondaryAxisTitle: fc.string(),
          totals: fc.array(fc.nat(40), { maxLength: 4 }),
        },
        { requiredKeys: [] },
      ),
    }),
  );

describe('any chart', () => {
  test('is drawn with finite numbers, its marks within its box', () => {
    fc.assert(
      fc.property(anyChart, (sample) => {
        const { points, texts } = draw(sample);
        for (const [x, y] of points) {
          expect(x).toBeGreaterThanOrEqual(box.x - 3);
          expect(x).toBeLessThanOrEqual(box.x + box.width + 3);
          expect(y).toBeGreaterThanOrEqual(box.y - 3);
          expect(y).toBeLessThanOrEqual(box.y + box.height + 3);
        }
        for (const { x, y } of texts) expect(Number.isFinite(x + y)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.for([-1e-323, 5e-324, 1e-310, 1e-201])('of one value of %d is drawn with finite numbers', (value) => {
    const { points } = draw(chart('line', [value]));
    expect(points.flat().every(Number.isFinite)).toBe(true);
  });

  test.for(chartTypes)('%s without a value says so', (type) => {
    for (const empty of [chart(type, []), chart(type, [null, null]), chart(type, [], { datasets: [] })]) {
      expect(hasValues(empty)).toBe(false);
      expect(draw(empty).texts.map(({ text }) => text)).toContain('No data');
    }
  });
});

describe('bars', () => {
  const bars = (drawing: Drawing) =>
    drawing.rectangles
      .filter(({ paint }) => paint.fill === palettes.corporate.series[0])
      .map((one) => one.box);

  test('stand on zero, upwards and downwards', () => {
    const [up = [], down = []] = bars(draw(chart('bar', [10, -5])));
    expect((up[1] ?? 0) + (up[3] ?? 0)).toBeCloseTo(down[1] ?? 0, 6);
    expect((up[3] ?? 0) / (down[3] ?? 1)).toBeCloseTo(2, 6);
  });

  test('a gap leaves its place empty', () => {
    const [first = [], third = []] = bars(draw(chart('bar', [10, null, 10])));
    const step = (third[0] ?? 0) - (first[0] ?? 0);
    expect(bars(draw(chart('bar', [10, null, 10]))).length).toBe(2);
    expect(step).toBeGreaterThan((first[2] ?? 0) * 1.5);
  });

  test('stacks pile up and down from zero', () => {
    const stacked = draw({
      ...chart('stacked', [3], { options: { legend: false } }),
      datasets: [
        { label: 'a', data: [3] },
        { label: 'b', data: [-2] },
        { label: 'c', data: [4] },
      ],
    });
    const [a, b, c] = palettes.corporate.series
      .slice(0, 3)
      .map((color) => stacked.rectangles.find(({ paint }) => paint.fill === color)?.box ?? []);
    expect((c?.[1] ?? 0) + (c?.[3] ?? 0)).toBeCloseTo(a?.[1] ?? 0, 6);
    expect(b?.[1]).toBeCloseTo((a?.[1] ?? 0) + (a?.[3] ?? 0), 6);
  });

  test('a waterfall carries the level on, and totals stand on zero', () => {
    const sample = chart('waterfall', [10, -4, null], { options: { totals: [2], legend: false } });
    const drawing = draw(sample);
    const { positive, negative, primary } = palettes.corporate;
    const [up, down, total] = [positive, negative, primary].map(
      (color) => drawing.rectangles.find(({ paint }) => paint.fill === color)?.box ?? [],
    );
    expect(down?.[1]).toBeCloseTo(up?.[1] ?? 0, 6);
    expect(total?.[1]).toBeCloseTo((down?.[1] ?? 0) + (down?.[3] ?? 0), 6);
    expect((total?.[1] ?? 0) + (total?.[3] ?? 0)).toBeCloseTo((up?.[1] ?? 0) + (up?.[3] ?? 0), 6);
    expect(drawing.texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['10', '-4', '6']));
  });
});

describe('words', () => {
  test('title, axis titles, categories and legend are written', () => {
    const drawing = draw({
      type: 'combo',
      title: 'Title',
      labels: ['North', 'South'],
      datasets: [
        { label: 'Revenue', data: [1, 2] },
        { label: 'Margin', data: [0.1, 0.2] },
      ],
      options: { xAxisTitle: 'Region', yAxisTitle: 'Dollars', secondaryAxisTitle: 'Share' },
    });
    expect(drawing.texts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Title', 'North', 'South', 'Revenue', 'Margin', 'Region', 'Dollars', 'Share']),
    );
  });

  test.for([
    [
      'which differ at their beginning',
      (index: number) => `${index} is a very long category name`,
      /^\d+ .*…$/,
    ],
    [
      'which differ at their end',
      (index: number) => `A very long category name, number ${index}`,
      /^A.*….*\d$/,
    ],
    [
      'which differ between',
      (index: number) => `A long name of no use ${index}, of a category`,
      /^…\d+, of a/,
    ],
  ] as const)('long categories %s are cut so that they can be told apart', ([, labelOf, pattern]) => {
    const labels = Array.from({ length: 12 }, (_, index) => labelOf(index));
    const data = labels.map(() => 1);
    const { texts } = draw({ ...chart('bar', data), labels });
    const cut = texts.map(({ text }) => text).filter((text) => pattern.test(text));
    expect(new Set(cut).size).toBe(12);
  });

  test('the first of turned categories is cut no more than the others', () => {
    const labels = Array.from({ length: 30 }, (_, index) => `Product line ${index}`);
    const { texts } = draw({
      ...chart(
        'bar',
        labels.map(() => 1),
      ),
      labels,
    });
    expect(texts.map(({ text }) => text)).toContain('Product line 0');
  });

  test('the title of a right-to-left language ends at the right edge', () => {
    const { texts } = draw({ ...chart('bar', [1, 2]), title: 'الإيرادات' });
    expect(texts.find(({ text }) => text === 'الإيرادات')).toMatchObject({
      x: box.x + box.width,
      anchor: 'end',
    });
  });

  test('the legend counts what it leaves out only where that takes no more room than naming it', () => {
    const datasets = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        label: `A series with a long name ${index}`,
        data: [1, 2],
      }));
    const legendOf = (count: number) =>
      draw({ ...chart('line', [1, 2]), datasets: datasets(count) }).texts.map(({ text }) => text);
    expect(legendOf(10).filter((text) => text.startsWith('A series'))).toHaveLength(10);
    const many = legendOf(40);
    const named = many.filter((text) => text.startsWith('A series')).length;
    expect(named).toBeLessThan(40);
    expect(many).toContain(`+ ${40 - named}`);
  });

  test('a pie leaves out what is not above zero and gathers the smallest slices', () => {
    const few = draw(chart('pie', [3, 0, -1, null, 1]));
    expect(few.texts.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['L0: 3 (75%)', 'L4: 1 (25%)', '75%']),
    );
    expect(few.texts.some(({ text }) => text.startsWith('L1'))).toBe(false);
    const many = draw(
      chart(
        'pie',
        Array.from({ length: 30 }, (_, index) => index + 1),
      ),
    );
    expect(many.texts.some(({ text }) => text.startsWith('+ 19'))).toBe(true);
  });

  test('the description names type, title and values', () => {
    expect(describeChart(chart('bar', [1, null], { title: 'Sales' }))).toBe(
      'Bar chart: Sales. Series: L0 1, L1 no value.',
    );
    expect(describeChart(chart('line', []))).toBe('Line chart. No data.');
    expect(
      describeChart(
        chart(
          'line',
          Array.from({ length: 1000 }, () => 1),
        ),
      ).length,
    ).toBeLessThan(500);
  });
});
