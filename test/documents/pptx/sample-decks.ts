import { crc32, deflateSync } from 'node:zlib';
import type { Chart, ChartType, ImageAsset } from '../../../src/domain/documents/common.ts';
import { chartTypes } from '../../../src/domain/documents/common.ts';
import {
  type DeckSpec,
  type DeckTable,
  type Slide,
  type SlideElement,
  shapeNames,
} from '../../../src/domain/documents/deck-spec.ts';
import type { RenderInput } from '../../../src/ports/renderer.ts';

export const plain = { bold: false, italic: false, underline: false } as const;

/** 2026-01-02T03:04:05.678Z */
const createdAtMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

type Box = { x: number; y: number; w: number; h: number };

export function text(
  content: string,
  box: Box,
  style: Partial<SlideElement & { type: 'text' }> = {},
): SlideElement {
  return { type: 'text', content, bullet: false, ...plain, ...box, ...style };
}

export function slide(...elements: SlideElement[]): Slide {
  return { elements, showPageNumber: true };
}

export function deck(slides: readonly Slide[], rest: Partial<DeckSpec> = {}): DeckSpec {
  return { title: 'Sample', palette: 'corporate', language: 'en-US', slides, ...rest };
}

export function input(
  spec: DeckSpec,
  images: ReadonlyMap<string, ImageAsset> = pictures,
): RenderInput<DeckSpec> {
  return { spec, images, createdAtMs };
}

/** A PNG with a circle in its middle: distortion and cropping can be seen. */
function circlePng(width: number, height: number): ImageAsset {
  const radius = Math.min(width, height) * 0.45;
  const raw = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const distance = Math.hypot(x - width / 2, y - height / 2);
      const color =
        distance < radius ? [230, 120, 40] : (x >> 4) % 2 === (y >> 4) % 2 ? [40, 90, 150] : [60, 120, 190];
      raw.set(color, y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.byteLength);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { kind: 'png', width, height, bytes };
}

export const pictures: ReadonlyMap<string, ImageAsset> = new Map([
  ['wide', circlePng(480, 160)],
  ['tall', circlePng(160, 320)],
]);

export function chart(type: ChartType): Chart {
  const quarters = ['Q1', 'Q2', 'Q3', 'Q4'];
  const single = type === 'pie' || type === 'doughnut' || type === 'waterfall';
  const datasets = single
    ? [{ label: 'Revenue', data: type === 'waterfall' ? [120, -30, 45, -20] : [120, 80, 60, 40] }]
    : [
        { label: 'North', data: [120, 132, 101, 134] },
        { label: 'South', data: [90, -23, 88, 101] },
        ...(type === 'combo' ? [{ label: 'Margin', data: [12, 14, 13, 17], type: 'line' as const }] : []),
      ];
  return { type, title: `${type} chart`, labels: quarters, datasets, options: {} };
}

export function salesTable(rowCount: number): DeckTable {
  return {
    columns: [
      { header: 'Region' },
      { header: 'Product' },
      { header: 'Revenue', format: { kind: 'currency', currency: 'EUR' } },
      { header: 'Growth', format: { kind: 'percent' } },
      { header: 'Closed', format: { kind: 'date' } },
    ],
    rows: Array.from({ length: rowCount }, (_, row) => [
      { value: ['North', 'South', 'East', 'West'][row % 4] ?? '' },
      { value: `Product ${row + 1}` },
      { value: 1_250.5 * (row + 1) },
      { value: ((row % 9) - 3) / 20 },
      { value: `2026-03-${String((row % 28) + 1).padStart(2, '0')}` },
    ]),
    header: { bold: true },
  };
}

const title = (content: string) =>
  text(content, { x: 0.5, y: 0.4, w: 12.3, h: 0.8 }, { fontSize: 30, bold: true });

/** A deck with every element type, every option and every palette default. */
export function completeDeck(rest: Partial<DeckSpec> = {}): DeckSpec {
  const long = 'The quick brown fox jumps over the lazy dog while the five boxing wizards look on. ';
  const charts = chartTypes.map((type, index): SlideElement => {
    const column = index % 4;
    const row = Math.floor(index / 4);
    return {
      type: 'chart',
      chart: chart(type),
      x: 0.4 + column * 3.15,
      y: 1.3 + row * 2.85,
      w: 3.05,
      h: 2.75,
    };
  });
  const shapes = shapeNames.map((shape, index): SlideElement => {
    const column = index % 6;
    const row = Math.floor(index / 6);
    const box = { x: 0.5 + column * 2.1, y: 1.35 + row * 1.42, w: 1.85, h: 1.25 };
    return { type: 'shape', shape, text: shape, ...plain, ...box, fontSize: 14 };
  });
  return deck(
    [
      {
        elements: [
          { type: 'shape', shape: 'rect', x: 0, y: 2.3, w: 13.333, h: 2.6, ...plain },
          text('Annual review 2026', { x: 0.8, y: 2.6, w: 11.7, h: 1 }, { fontSize: 44, bold: true }),
          text(
            'What we built, what it earned, what comes next',
            { x: 0.8, y: 3.7, w: 11.7, h: 0.6 },
            { fontSize: 20 },
          ),
          {
            type: 'line',
            x1: 0.9,
            y1: 3.62,
            x2: 4,
            y2: 3.62,
            width: 3,
            color: 'E08A1E',
            beginArrow: false,
            endArrow: false,
          },
        ],
        notes: 'Welcome everybody.\nKeep it short.\n\nŻółć, שלום, 你好',
        showPageNumber: false,
      },
      slide(
        title('Text: fits, wraps, shrinks'),
        text(
          'Three\nbullet\npoints that run over the end of the line and hang below their own first word',
          { x: 0.5, y: 1.5, w: 4, h: 2.4 },
          { bullet: true, fontSize: 20 },
        ),
        text(long.repeat(12), { x: 4.8, y: 1.5, w: 4, h: 2.4 }, { fontSize: 18, align: 'justify' }),
        text('Bold', { x: 9.2, y: 1.5, w: 1.8, h: 0.5 }, { bold: true }),
        text('Italic', { x: 11, y: 1.5, w: 1.8, h: 0.5 }, { italic: true }),
        text('Underlined', { x: 9.2, y: 2.1, w: 1.8, h: 0.5 }, { underline: true, color: 'C0392B' }),
        text('Courier', { x: 11, y: 2.1, w: 1.8, h: 0.5 }, { fontFace: 'Courier New' }),
        text('right & bottom', { x: 9.2, y: 2.7, w: 3.6, h: 1.2 }, { align: 'right', valign: 'bottom' }),
        text('Too large for its box', { x: 0.5, y: 4.3, w: 4, h: 0.5 }, { fontSize: 40 }),
        text('مرحبا بالعالم\nשלום עולם', { x: 4.8, y: 4.3, w: 4, h: 1 }, { fontSize: 20 }),
        text('你好，世界。日本語のテキストは文字の間で折り返します。한국어도 마찬가지입니다.', {
          x: 9.2,
          y: 4.3,
          w: 3.6,
          h: 1.5,
        }),
        text(
          'Supercalifragilisticexpialidocious'.repeat(3),
          { x: 0.5, y: 5.2, w: 4, h: 1.2 },
          { fontSize: 24 },
        ),
        text('Ελληνικά Русский हिन्दी ไทย 😀', { x: 4.8, y: 5.5, w: 4, h: 0.6 }, { align: 'center' }),
      ),
      slide(title('Shapes'), ...shapes),
      slide(
        title('Lines, outlines and text on any ground'),
        { type: 'line', x1: 0.6, y1: 1.6, x2: 6, y2: 1.6, beginArrow: false, endArrow: true },
        {
          type: 'line',
          x1: 6,
          y1: 2,
          x2: 0.6,
          y2: 2.6,
          beginArrow: true,
          endArrow: true,
          dash: 'dash',
          width: 3,
          color: 'C0392B',
        },
        {
          type: 'line',
          x1: 0.6,
          y1: 3.4,
          x2: 6,
          y2: 2.8,
          beginArrow: false,
          endArrow: false,
          dash: 'dot',
          width: 2,
        },
        {
          type: 'shape',
          shape: 'roundRect',
          fill: 'FFFFFF',
          line: { color: 'C0392B', width: 3, dash: 'dash' },
          text: 'White with a dashed outline',
          x: 7,
          y: 1.5,
          w: 3,
          h: 1.2,
          ...plain,
        },
        {
          type: 'shape',
          shape: 'rect',
          fill: 'FFE08A',
          text: 'Dark text on a light fill',
          x: 10.2,
          y: 1.5,
          w: 2.6,
          h: 1.2,
          ...plain,
        },
        {
          type: 'shape',
          shape: 'ellipse',
          fill: '111111',
          text: 'Text that is rather too long for a small ellipse shrinks',
          x: 7,
          y: 3,
          w: 2.2,
          h: 1.2,
          ...plain,
          fontSize: 20,
        },
        { type: 'shape', shape: 'rect', fill: '202A44', x: 0.6, y: 4.2, w: 5.5, h: 2, ...plain },
        text('A text without a colour on a dark shape', { x: 0.8, y: 4.4, w: 5, h: 0.6 }, { fontSize: 20 }),
        text('one\ntwo\nthree', { x: 0.8, y: 5, w: 5, h: 1.1 }, { bullet: true, fontSize: 14 }),
      ),
      slide(
        title('Pictures'),
        {
          type: 'image',
          image: { asset: 'wide', alt: 'A circle on a wide ground' },
          sizing: 'contain',
          x: 0.5,
          y: 1.5,
          w: 3.5,
          h: 3.5,
        },
        {
          type: 'image',
          image: { asset: 'wide', alt: 'The same, cropped' },
          sizing: 'cover',
          x: 4.5,
          y: 1.5,
          w: 3.5,
          h: 3.5,
        },
        { type: 'image', image: { asset: 'tall', alt: '' }, sizing: 'contain', x: 8.5, y: 1.5, w: 2, h: 3.5 },
        {
          type: 'image',
          image: { asset: 'tall', alt: 'A tall picture, cropped' },
          sizing: 'cover',
          x: 10.8,
          y: 1.5,
          w: 2,
          h: 3.5,
        },
      ),
      slide(title('Charts'), ...charts),
      slide(title('A table'), { type: 'table', table: salesTable(9), x: 0.5, y: 1.5, w: 12.3, h: 4 }),
      slide(
        title('A long table'),
        { type: 'table', table: salesTable(40), x: 0.5, y: 1.5, w: 12.3, h: 5 },
        text('Source: sales ledger', { x: 0.5, y: 7, w: 6, h: 0.3 }, { fontSize: 10 }),
      ),
      slide(
        title('Cells without a header, with styles'),
        {
          type: 'table',
          table: {
            rows: [
              [
                { value: 'Good', fill: '2E8B57', bold: true, align: 'center' },
                { value: 'Wraps within its own narrow column because it is long' },
                { value: null },
              ],
              [
                { value: 'Bad', fill: 'FBE3E1', color: 'C0392B', align: 'center' },
                { value: 'x' },
                { value: -12.5 },
              ],
              [{ value: true }, { value: 'שלום' }, { value: 1_234_567.891 }],
            ],
            header: { bold: true },
            fontSize: 16,
          },
          x: 0.5,
          y: 1.5,
          w: 7,
          h: 2,
        },
        {
          type: 'table',
          table: { ...salesTable(3), header: { bold: false, fill: 'FFE08A' } },
          x: 0.5,
          y: 4.6,
          w: 7,
          h: 1.2,
        },
        {
          type: 'table',
          table: {
            columns: [
              { header: 'Narrow', width: 1 },
              { header: 'Wide', width: 3 },
            ],
            rows: [[{ value: 'a' }, { value: 'b' }]],
            header: { bold: true, color: 'FFE08A' },
          },
          x: 8,
          y: 1.5,
          w: 4.8,
          h: 1,
        },
      ),
      {
        ...slide(
          title('On a dark ground'),
          text('Body text turns white', { x: 0.5, y: 1.5, w: 6, h: 0.6 }),
          { type: 'table', table: salesTable(4), x: 0.5, y: 2.3, w: 6, h: 2 },
          { type: 'chart', chart: chart('line'), x: 7, y: 2, w: 5.8, h: 4 },
        ),
        background: { color: '14213D' },
      },
      {
        ...slide(
          text(
            'A picture behind it all',
            { x: 0.5, y: 3, w: 12.3, h: 1 },
            { fontSize: 40, bold: true, color: 'FFFFFF', align: 'center' },
          ),
        ),
        background: { image: { asset: 'tall', alt: '' } },
      },
    ],
    { title: 'Annual review', subtitle: 'Everything at once', ...rest },
  );
}
