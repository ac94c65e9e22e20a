import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { GeneratePptxRequestSchema } from '../../../gen/service/generator/v1/deck_pb.ts';
import { GeneratePdfRequestSchema } from '../../../gen/service/generator/v1/report_pb.ts';
import { GenerateDocxRequestSchema } from '../../../gen/service/generator/v1/word_pb.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import { parseDeck } from '../../../src/rpc/generator/parse-deck.ts';
import { parseReport } from '../../../src/rpc/generator/parse-report.ts';
import { parseWord } from '../../../src/rpc/generator/parse-word.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const columns = (count: number) => many(count, (index) => ({ header: `c${index}` }));
const pdf = (sections: object[]) => parseReport(create(GeneratePdfRequestSchema, { title: 'T', sections }));
const docx = (sections: object[]) => parseWord(create(GenerateDocxRequestSchema, { sections }));
const pptx = (slides: object[]) => parseDeck(create(GeneratePptxRequestSchema, { slides }));
const slideWith = (value: object) => [{ elements: [{ element: { case: 'table', value } }] }];
const picture = { src: 'data:image/png;base64,AA==' };

interface Edge {
  readonly name: string;
  readonly make: (count: number) => unknown;
  readonly edge: number;
  readonly slug: 'spec_invalid' | 'spec_too_large';
}

const edges: readonly Edge[] = [
  { name: 'pdf sections', make: (n) => pdf(many(n, () => ({ text: 'x' }))), edge: 500, slug: 'spec_invalid' },
  { name: 'pdf table columns', make: (n) => pdf([{ columns: columns(n) }]), edge: 30, slug: 'spec_invalid' },
  {
    name: 'pdf table cells over several tables',
    make: (n) =>
      pdf([
        { columns: columns(1), rows: many(25_000, () => ({})) },
        { columns: columns(1), rows: many(n, () => ({})) },
      ]),
    edge: 25_000,
    slug: 'spec_invalid',
  },
  {
    name: 'pdf summary cards',
    make: (n) => pdf([{ summary: many(n, () => ({ label: 'a', value: '1' })) }]),
    edge: 5,
    slug: 'spec_invalid',
  },
  {
    name: 'pdf images',
    make: (n) => pdf(many(n, () => ({ image: picture }))),
    edge: 20,
    slug: 'spec_invalid',
  },
  {
    name: 'docx sections',
    make: (n) => docx(many(n, () => ({ text: 'x' }))),
    edge: 1_000,
    slug: 'spec_invalid',
  },
  {
    name: 'docx table columns',
    make: (n) => docx([{ columns: columns(n) }]),
    edge: 63,
    slug: 'spec_invalid',
  },
  {
    name: 'docx table rows',
    make: (n) => docx([{ columns: columns(1), rows: many(n, () => ({})) }]),
    edge: 50_000,
    slug: 'spec_too_large',
  },
  { name: 'pptx slides', make: (n) => pptx(many(n, () => ({}))), edge: 300, slug: 'spec_invalid' },
  {
    name: 'pptx elements of a slide',
    make: (n) =>
      pptx([{ elements: many(n, () => ({ element: { case: 'text', value: { content: 'x' } } })) }]),
    edge: 200,
    slug: 'spec_invalid',
  },
  {
    name: 'pptx table rows',
    make: (n) => pptx(slideWith({ columns: columns(2), rows: many(n, () => ({ values: {} })) })),
    edge: 5_000,
    slug: 'spec_too_large',
  },
  {
    name: 'chart labels',
    make: (n) => pdf([{ chart: { labels: many(n, String) } }]),
    edge: 1_000,
    slug: 'spec_invalid',
  },
  {
    name: 'chart datasets',
    make: (n) => pdf([{ chart: { labels: ['a'], datasets: many(n, () => ({})) } }]),
    edge: 50,
    slug: 'spec_invalid',
  },
  {
    name: 'characters of a text',
    make: (n) => pdf([{ text: 'x'.repeat(n) }]),
    edge: limits.document.textChars,
    slug: 'spec_invalid',
  },
];

describe('limits of the generators', () => {
  test.for(edges)('$name: the edge stands, one more is $slug', ({ make, edge, slug }) => {
    expect(() => make(edge)).not.toThrow();
    let fault: unknown;
    try {
      make(edge + 1);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(ServiceError);
    expect((fault as ServiceError).slug).toBe(slug);
  });
});

describe('a deck spec', () => {
  test('gives an element without a place one within the margins', () => {
    const { spec } = pptx([{ elements: [{ element: { case: 'text', value: { content: 'x' } } }] }]);
    expect(spec.slides[0]?.elements[0]).toMatchObject({ type: 'text', x: 0.5, y: 0.5, h: 1 });
  });

  test('takes a chart whole or in parts', () => {
    const parts = { labels: ['a'], datasets: [{ label: 's', data: [{ value: 1 }] }] };
    const chartOf = (value: object) =>
      pptx([{ elements: [{ element: { case: 'chart', value } }] }]).spec.slides[0]?.elements[0];
    expect(chartOf({ chart: { ...parts, type: 2 } })).toEqual(chartOf({ ...parts, chartType: 2 }));
  });

  test('takes table rows as cells or by column key', () => {
    const byKey = pptx(slideWith({ columns: [{ header: 'A' }], rows: [{ values: { A: 1 } }] }));
    const byCell = pptx(
      slideWith({
        columns: [{ header: 'A' }],
        rows: [{ cells: [{ value: { kind: { case: 'numberValue', value: 1 } } }] }],
      }),
    );
    expect(byKey.spec).toEqual(byCell.spec);
  });
});

describe('a chart', () => {
  test('numbers its points when it has no labels, and keeps gaps', () => {
    const { spec } = pdf([{ chart: { datasets: [{ label: 's', data: [{ value: 1 }, {}, { value: 3 }] }] } }]);
    expect(spec.sections[0]?.chart).toMatchObject({
      type: 'bar',
      labels: ['1', '2', '3'],
      datasets: [{ data: [1, null, 3] }],
    });
  });

  test('is refused with more values than labels', () => {
    expect(() =>
      pdf([{ chart: { labels: ['a'], datasets: [{ data: [{ value: 1 }, { value: 2 }] }] } }]),
    ).toThrow('sections[0].chart.datasets[0].data has 2 values for 1 labels');
  });
});
