import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Document, Footer, Header, HeadingLevel, Packer, PageNumber, Paragraph, TextRun } from 'docx';
import { renderWord } from '../../../src/documents/docx/render-word.ts';
import { layoutTable } from '../../../src/documents/docx/table-layout.ts';
import { palettes } from '../../../src/documents/palettes.ts';
import type { Table } from '../../../src/domain/documents/common.ts';
import type { WordSpec } from '../../../src/domain/documents/word-spec.ts';
import { libraryTable } from '../../documents/docx/library-table.ts';
import type { BenchRow } from '../bench-row.ts';
import { compareTimes } from '../compare-times.ts';

/** Measures a table of 3,000 rows and a small document against the library used plainly. */
export async function benchDocx(): Promise<BenchRow[]> {
  const table = tableOf(3_000);
  const large: WordSpec = { ...base, sections: [{ level: 2, heading: 'Orders', table }] };
  const layout = layoutTable(table);
  const rows: BenchRow[] = [];
  rows.push({
    ...(await compareTimes(
      'docx 3,000-row table / docx library',
      {
        ours: () => render(large),
        peer: () =>
          Packer.toBuffer(
            new Document({ sections: [{ children: [libraryTable(table, layout, palettes.corporate)] }] }),
          ),
      },
      { rounds: 3, runs: 3 },
    )),
    target: 15,
    memoryMb: peakMemoryMb(),
  });
  rows.push({
    ...(await compareTimes(
      'docx small document / docx library',
      { ours: () => render(small), peer: librarySmall },
      { rounds: 3, runs: 15 },
    )),
    target: 0.9,
  });
  return rows;
}

const base = {
  title: 'Quarterly report',
  subtitle: 'Third quarter',
  palette: 'corporate',
  language: 'en',
  markdown: false,
} as const;

const small: WordSpec = {
  ...base,
  sections: [
    {
      heading: 'Summary',
      level: 1,
      text: 'Revenue grew.\nCosts fell.',
      summary: [{ label: 'Revenue', value: '4.2M' }],
    },
    { heading: 'Points', level: 2, bullets: ['One', 'Two', 'Three'], numbered: ['First', 'Second'] },
    { heading: 'Orders', level: 2, table: tableOf(10) },
  ],
};

function render(spec: WordSpec) {
  return renderWord({ spec, images: new Map(), createdAtMs: 0 });
}

function tableOf(rowCount: number): Table {
  return {
    columns: ['Order', 'Customer', 'Region', 'Quantity', 'Amount', 'Share'].map((header) => ({ header })),
    rows: Array.from({ length: rowCount }, (_, row) => [
      `A-${100_000 + row}`,
      `Customer ${row % 97}`,
      ['North', 'South', 'East', 'West'][row % 4] ?? 'North',
      (row * 7) % 113,
      ((row * 1_009) % 100_000) / 4,
      (row % 100) / 8,
    ]),
  };
}

/** The small document as the library's own examples would write it. */
function librarySmall() {
  const table = tableOf(10);
  const list = (reference: string, items: string[]) =>
    items.map((text) => new Paragraph({ text, numbering: { reference, level: 0 } }));
  const level = { level: 0, format: 'decimal', text: '%1.' } as const;
  return Packer.toBuffer(
    new Document({
      title: base.title,
      numbering: {
        config: [
          { reference: 'bullets', levels: [{ ...level, format: 'bullet', text: '•' }] },
          { reference: 'numbers', levels: [level] },
        ],
      },
      sections: [
        {
          headers: { default: new Header({ children: [new Paragraph(base.title)] }) },
          footers: {
            default: new Footer({
              children: [
                new Paragraph({
                  children: [new TextRun({ children: [PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES] })],
                }),
              ],
            }),
          },
          children: [
            new Paragraph({ text: base.title, heading: HeadingLevel.TITLE }),
            new Paragraph(base.subtitle),
            new Paragraph({ text: 'Summary', heading: HeadingLevel.HEADING_1 }),
            new Paragraph('Revenue grew.'),
            new Paragraph('Costs fell.'),
            new Paragraph('Revenue: 4.2M'),
            new Paragraph({ text: 'Points', heading: HeadingLevel.HEADING_2 }),
            ...list('bullets', ['One', 'Two', 'Three']),
            ...list('numbers', ['First', 'Second']),
            new Paragraph({ text: 'Orders', heading: HeadingLevel.HEADING_2 }),
            libraryTable(table, layoutTable(table), palettes.corporate),
          ],
        },
      ],
    }),
  );
}

/** Alternates the two, so that neither has the quieter moments of the machine to itself. */

function peakMemoryMb(): number {
  return Number(
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'memory'], { encoding: 'utf8' }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'memory') {
    await render({ ...base, sections: [{ level: 2, table: tableOf(3_000) }] });
    console.log(Math.round(process.resourceUsage().maxRSS / 1_024));
  } else {
    console.table(await benchDocx());
  }
}
