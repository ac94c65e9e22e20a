import { crc32, deflateSync } from 'node:zlib';
import { renderWord } from '../../../src/documents/docx/render-word.ts';
import type { ImageAsset } from '../../../src/domain/documents/common.ts';
import type { WordSection, WordSpec } from '../../../src/domain/documents/word-spec.ts';
import { partOf } from './library-table.ts';

/** 2026-01-02T03:04:05.678Z */
export const createdAtMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export function wordSpec(sections: readonly Partial<WordSection>[], rest: Partial<WordSpec> = {}): WordSpec {
  return {
    title: 'Sample',
    palette: 'corporate',
    language: 'en-US',
    markdown: false,
    sections: sections.map((section) => ({ level: 2, ...section })),
    ...rest,
  };
}

export async function render(spec: WordSpec): Promise<Uint8Array> {
  return (await renderWord({ spec, images: pictures, createdAtMs })).bytes;
}

/** `document.xml` of the rendered spec. */
export async function documentXml(spec: WordSpec): Promise<string> {
  return partOf(await render(spec), 'word/document.xml');
}

/** Each paragraph's XML, those of tables included. */
export function paragraphsOf(xml: string): string[] {
  return [...xml.matchAll(/<w:p>.*?<\/w:p>/gs)].map((match) => match[0]);
}

export function textOf(xml: string): string {
  return [...xml.matchAll(/<w:t [^>]*>([^<]*)<\/w:t>|<w:br\/>|<w:tab\/>/g)]
    .map(([tag, text]) => text ?? (tag === '<w:tab/>' ? '\t' : '\n'))
    .join('')
    .replace(
      /&(amp|lt|gt|quot);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? '',
    );
}

/** A grey PNG of that many pixels. */
function grey(width: number, height: number): ImageAsset {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x99);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const bytes = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { kind: 'png', width, height, bytes };
}

export const pictures: ReadonlyMap<string, ImageAsset> = new Map([
  ['wide', grey(400, 100)],
  // The same picture, as a reference that a spec repeats arrives.
  ['wide again', grey(400, 100)],
  ['tall', grey(10, 2_000)],
]);

/** Something of everything, in several scripts, on upright and on landscape pages. */
export const everything = wordSpec(
  [
    {
      heading: 'Executive summary',
      level: 1,
      text: 'A **bold** start, *with* `code` and [a link](https://example.com/?a=1&b=2).\n\nA second paragraph.',
      summary: [
        { label: 'Revenue', value: '$4.2M' },
        { label: 'Growth', value: '12%' },
      ],
      bullets: ['First', 'Second **bold**'],
      numbered: ['One', 'Two'],
    },
    {
      heading: 'Numbered again',
      level: 3,
      numbered: ['One', 'Two', 'Three'],
      chart: {
        type: 'bar',
        title: 'Sales',
        labels: ['Q1', 'Q2'],
        datasets: [{ label: 'North', data: [1, null] }],
        options: {},
      },
      image: { asset: 'wide', alt: 'A "grey" <field>', caption: 'A field' },
    },
    {
      heading: 'Orders',
      table: {
        columns: [
          { header: 'Customer' },
          { header: 'Amount', format: { kind: 'currency', currency: 'USD' } },
          { header: 'When', format: { kind: 'date' }, align: 'center' },
        ],
        rows: [
          ['Alpha & Sons', 1234.5, '2026-01-02'],
          ['Beta', -2, null],
        ],
      },
    },
    {
      heading: 'عنوان',
      text: 'نص عربي مع English وأرقام 12.\nשלום עולם\n日本語 中文 한국어 ไทย हिन्दी 😀',
      table: {
        columns: [{ header: 'الاسم' }, { header: 'القيمة' }],
        rows: [['أحمد', 12.5]],
      },
    },
    {
      heading: 'Wide',
      table: {
        columns: Array.from({ length: 16 }, (_, index) => ({ header: `Measurement ${index}` })),
        rows: [Array.from({ length: 16 }, (_, index) => index * 1_000)],
      },
      image: { asset: 'tall', alt: '' },
    },
    { heading: 'Upright again', text: 'End.' },
  ],
  { title: 'Annual report <2026> & more', subtitle: 'For the board', markdown: true },
);
