import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReport } from '../../../src/documents/pdf/render-report.ts';
import type { ReportSection, ReportSpec } from '../../../src/domain/documents/report-spec.ts';
import { limits } from '../../../src/domain/limits.ts';
import { describeWith, findProgram, venvPython } from '../../programs.ts';
import { exampleImages, exampleReports } from './example-reports.ts';

const base = { title: 'Report', palette: 'corporate', language: 'en', markdown: false } as const;
const createdAtMs = Date.UTC(2026, 5, 1, 12);

function spec(sections: readonly ReportSection[], rest: Partial<ReportSpec> = {}): ReportSpec {
  return { ...base, ...rest, sections };
}

async function render(report: ReportSpec) {
  return await renderReport({ spec: report, images: exampleImages, createdAtMs });
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string | undefined, bytes: Uint8Array, args: (file: string) => string[]): string {
  const file = join(folder, 'report.pdf');
  writeFileSync(file, bytes);
  return execFileSync(program ?? '', args(file), { encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** Pages of text as a foreign reader extracts them, marks of direction and form left out. */
function pagesOf(bytes: Uint8Array): string[] {
  const text = run(pdftotext, bytes, (file) => [file, '-']);
  return text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .split('\f')
    .slice(0, -1);
}

const [pdftotext, pdfinfo, qpdf] = ['pdftotext', 'pdfinfo', 'qpdf'].map((name) => findProgram(name));

describe('bytes', () => {
  test.for(exampleReports)('$name gives the same bytes for the same spec', async ({ spec: example }) => {
    const first = await render(example);
    const second = await render(example);
    expect(Buffer.from(second.bytes).equals(Buffer.from(first.bytes))).toBe(true);
  });

  test('another clock or title gives another file', async () => {
    const report = spec([{ text: 'same' }]);
    const first = await render(report);
    const later = await renderReport({ spec: report, images: new Map(), createdAtMs: createdAtMs + 1000 });
    expect(Buffer.from(later.bytes).equals(Buffer.from(first.bytes))).toBe(false);
  });
});

describe('warnings', () => {
  test('a glyph that no font has is named once', async () => {
    const { warnings } = await render(spec([{ heading: '𒀀', text: '𒀀 and \u{13000}' }]));
    expect(warnings).toEqual(['No font has U+12000, U+13000']);
  });

  test('many such glyphs are counted', async () => {
    const text = Array.from({ length: 30 }, (_, index) => String.fromCodePoint(0x12000 + index)).join('');
    const { warnings } = await render(spec([{ text }]));
    expect(warnings[0]).toMatch(/^No font has U\+12000, .*U\+12013 and 10 more$/);
  });

  test('a report in known scripts has none', async () => {
    const example = exampleReports.find(({ name }) => name === 'scripts');
    expect((await render(example?.spec ?? spec([]))).warnings).toEqual([]);
  });

  test('a text that is cut is said to be', async () => {
    const { warnings } = await render(
      spec([{ summary: [{ label: 'x', value: 'word '.repeat(200) }] }], { title: 'word '.repeat(300) }),
    );
    expect(warnings).toEqual([
      'The title was too long for its band and was cut',
      'A summary card was too small for its text, which was cut',
    ]);
  });

  test('every warning is ASCII', async () => {
    const { warnings } = await render(spec([{ text: '𒀀' }]));
    for (const warning of warnings) expect(warning).toMatch(/^[\x20-\x7e]+$/);
  });
});

test('a report beyond the page limit is refused', async () => {
  const bullets = Array.from({ length: limits.pdf.pages * 60 }, () => 'a');
  await expect(render(spec([{ bullets }]))).rejects.toMatchObject({ slug: 'spec_invalid' });
});

describeWith({ name: 'pdftotext', path: pdftotext }, 'extracted text', () => {
  test.for([
    ['Latin', 'Zażółć gęślą jaźń — “quotes” €100'],
    ['kerned pairs', 'AVATAR Type To. Wavy'],
    ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία'],
    ['Cyrillic', 'Съешь же ещё этих мягких французских булок'],
    ['Vietnamese', 'Tiếng Việt có dấu'],
    ['Arabic', 'الإيرادات السنوية للشركة'],
    ['Arabic with marks', 'مُحَمَّد'],
    ['Hebrew', 'שלום עולם'],
    ['Devanagari', 'हिन्दी में क्ष त्र ज्ञ कि की'],
    ['Thai', 'น้ำที่กำลังดื่ม'],
    ['Chinese', '这是一段中文文本'],
    ['Japanese', '日本語のテキストです'],
    ['Korean', '한국어 텍스트'],
    ['symbols', 'from → to, sum ∑, done ✓, star ★, rupee ₹, number №'],
    ['emoji', '😀 🚀 👩‍💻 🇩🇪 👍🏽'],
    ['a box for no glyph', 'before 𒀀 after'],
  ])('%s comes back as it was sent', async ([, text = '']) => {
    const { bytes } = await render(spec([{ text }]));
    expect(pagesOf(bytes)[0]).toContain(text);
  });

  test('comes in reading order, block after block', async () => {
    const { bytes } = await render(
      spec(
        [
          {
            heading: 'one',
            text: 'two\nthree',
            summary: [{ label: 'five', value: 'four' }],
            bullets: ['six', 'seven'],
            table: { columns: [{ header: 'eight' }, { header: 'nine' }], rows: [['ten', 11]] },
            chart: {
              type: 'bar',
              title: 'twelve',
              labels: ['a'],
              datasets: [{ label: 'x', data: [1] }],
              options: {},
            },
            image: { asset: 'photo', alt: 'stripes', caption: 'thirteen' },
            callout: { label: 'fourteen', text: 'fifteen' },
          },
        ],
        { title: 'first', subtitle: 'second' },
      ),
    );
    const words = ['first', 'second', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    const rest = ['ten', '11', 'twelve', 'thirteen', 'fourteen', 'fifteen'];
    const text = pagesOf(bytes).join(' ');
    const places = [...words, ...rest].map((word) => text.indexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('Markdown is read only when the spec asks for it', async () => {
    const text = '**bold** [label](https://example.com/)';
    const [plain] = pagesOf((await render(spec([{ text }]))).bytes);
    const [styled] = pagesOf((await render(spec([{ text }], { markdown: true }))).bytes);
    expect(plain).toContain(text);
    expect(styled).toContain('bold label');
  });

  test('cells show their formats', async () => {
    const table = {
      columns: [
        { header: 'Amount', format: { kind: 'currency', currency: 'EUR' } },
        { header: 'Share', format: { kind: 'percent' } },
        { header: 'Day', format: { kind: 'date' } },
      ],
      rows: [[-1234.5, 0.256, Date.UTC(2026, 2, 5)]],
    } as const;
    const [page] = pagesOf((await render(spec([{ table }]))).bytes);
    expect(page).toMatch(/-€1,234\.50\s+25\.6%\s+2026-03-05/);
  });

  test('lines of a cell stay lines', async () => {
    const table = { columns: [{ header: 'A' }], rows: [['first\nsecond']] };
    expect(pagesOf((await render(spec([{ table }]))).bytes)[0]).toMatch(/first\n+second/);
  });

  test('every page of a long table repeats the header and is numbered', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => [`row ${index}`, index]);
    const pages = pagesOf(
      (await render(spec([{ table: { columns: [{ header: 'Name' }, { header: 'Count' }], rows } }]))).bytes,
    );
    expect(pages.length).toBeGreaterThan(4);
    for (const [index, page] of pages.entries()) {
      expect(page).toMatch(/Name\s+Count/);
      expect(page).toContain(`${index + 1} of ${pages.length}`);
    }
    const shown = pages.join('').match(/row \d+/g);
    expect(shown).toEqual(rows.map(([name]) => name));
  });

  test('a row stays on one page, and one that is higher than a page goes on over the next', async () => {
    const note = Array.from({ length: 12 }, (_, index) => `line${index}`).join('\n');
    const rows = Array.from({ length: 30 }, () => [note]);
    const pages = pagesOf((await render(spec([{ table: { columns: [{ header: 'Note' }], rows } }]))).bytes);
    for (const page of pages) {
      expect(page.match(/line0\b/g)?.length).toBe(page.match(/line11\b/g)?.length);
    }
    const tall = Array.from({ length: 150 }, (_, index) => `part${index}`).join('\n');
    const parted = pagesOf(
      (await render(spec([{ table: { columns: [{ header: 'Note' }], rows: [[tall]] } }]))).bytes,
    );
    expect(parted.length).toBeGreaterThan(2);
    expect(parted.join('').match(/part\d+/g)).toEqual(tall.split('\n'));
  });

  test('no heading stands alone at the foot of a page, whatever stands above it', async () => {
    for (let lines = 20; lines < 60; lines += 1) {
      const text = Array.from({ length: lines }, () => 'filling').join('\n');
      const { bytes } = await render(spec([{ text }, { heading: 'Alone?', text: 'Its text' }]));
      const page = pagesOf(bytes).find((candidate) => candidate.includes('Alone?'));
      expect(page, `${lines} lines`).toContain('Its text');
    }
  });

  test('a short text stands on the page of the chart that follows it, whatever stands above it', async () => {
    const chart = {
      type: 'bar',
      title: 'Its chart',
      labels: ['A'],
      datasets: [{ label: 'S', data: [1] }],
      options: {},
    } as const;
    for (let lines = 20; lines < 60; lines += 1) {
      const text = Array.from({ length: lines }, () => 'filling').join('\n');
      const { bytes } = await render(spec([{ text }, { heading: 'Heading', text: 'Its text', chart }]));
      const page = pagesOf(bytes).find((candidate) => candidate.includes('Its text'));
      expect(page, `${lines} lines`).toContain('Heading');
      expect(page, `${lines} lines`).toContain('Its chart');
    }
  });

  test('no page is empty', async () => {
    for (const { spec: example } of exampleReports) {
      for (const page of pagesOf((await render(example)).bytes)) {
        expect(
          page
            .replace(/\d+ of \d+/, '')
            .replace(example.title, '')
            .trim(),
        ).not.toBe('');
      }
    }
  });

  test.for([
    ['an empty report', spec([])],
    ['empty strings', spec([{ heading: ' ', text: '\n\n', bullets: ['', ' '], callout: { text: '' } }])],
    ['an empty table', spec([{ table: { columns: [{ header: '' }], rows: [] } }])],
    ['no rows', spec([{ table: { columns: [{ header: 'A' }, { header: 'B' }], rows: [] } }])],
  ] as const)('%s is one page', async ([, report]) => {
    const { bytes } = await render(report);
    expect(pagesOf(bytes).length).toBe(1);
  });
});

describeWith({ name: 'pdfinfo', path: pdfinfo }, 'tagged structure', () => {
  const structureOf = (bytes: Uint8Array) => run(pdfinfo, bytes, (file) => ['-struct-text', file]);

  test('the file says its title, date, version and that it is tagged', async () => {
    const { bytes } = await render(spec([], { title: 'Łódź & Sons <2026>' }));
    const info = run(pdfinfo, bytes, (file) => ['-isodates', file]);
    expect(info).toMatch(/Title:\s+Łódź & Sons <2026>/);
    expect(info).toMatch(/CreationDate:\s+2026-06-01T12:00:00Z/);
    expect(info).toMatch(/Tagged:\s+yes/);
    expect(info).toMatch(/PDF version:\s+1\.7/);
    const metadata = run(pdfinfo, bytes, (file) => ['-meta', file]);
    expect(metadata).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(metadata).toContain('Łódź &amp; Sons &lt;2026&gt;');
  });

  test('headings, paragraphs, lists, tables with header cells, figures and links are what they are', async () => {
    const { bytes } = await render(
      spec(
        [
          {
            heading: 'Heading',
            text: 'Text with a [link](https://example.com/)',
            bullets: ['Item'],
            table: { columns: [{ header: 'Column' }], rows: [['Cell']] },
            chart: {
              type: 'line',
              title: 'Trend',
              labels: ['a', 'b'],
              datasets: [{ label: 'x', data: [1, null] }],
              options: {},
            },
            image: { asset: 'photo', alt: 'Stripes', caption: 'Caption' },
          },
        ],
        { markdown: true },
      ),
    );
    const structure = structureOf(bytes).replace(/ \(block\)| \(inline\)|:$/gm, '');
    for (const part of [
      /H1.*\n\s+"Report"/,
      /H2.*\n\s+"Heading"/,
      /P.*\n\s+"Text with a "/,
      /Link.*\n(?:\s+Object.*\n)?\s+"link"/,
      /L\b.*\n(?:.*\n)*\s+LI\b.*\n\s+Lbl\b.*\n\s+"•"\n\s+LBody\b.*\n\s+"Item"/,
      /THead\b.*\n\s+TR\b.*\n\s+TH\b.*\n(?:\s+\/Scope.*\n)?\s+"Column"/,
      /TBody\b.*\n\s+TR\b.*\n\s+TD\b.*\n\s+"Cell"/,
      /Caption\b.*\n\s+"Caption"/,
    ]) {
      expect(structure).toMatch(part);
    }
    expect(structure.match(/Figure/g)?.length).toBe(2);
  });

  test('what pagination adds is no content', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => [index]);
    const { bytes } = await render(spec([{ table: { columns: [{ header: 'Only once' }], rows } }]));
    const structure = structureOf(bytes);
    expect(structure.match(/Only once/g)?.length).toBe(1);
    expect(structure).not.toMatch(/\d of \d/);
  });
});

describeWith({ name: 'qpdf', path: qpdf }, 'qpdf', () => {
  test.for(exampleReports)('finds no fault in $name', async ({ spec: example }) => {
    const { bytes } = await render(example);
    expect(run(qpdf, bytes, (file) => ['--check', file])).toContain('No syntax or stream encoding errors');
  });
});

describeWith({ name: 'pypdf', path: venvPython() }, 'pypdf', () => {
  test('reads every object, the alternative texts and the link', async () => {
    const { bytes } = await render(
      spec(
        [
          {
            text: '[link](https://example.com/a?b=(c))',
            chart: {
              type: 'pie',
              title: 'Shares',
              labels: ['a', 'b'],
              datasets: [{ label: 'Parts', data: [1, 3] }],
              options: {},
            },
            image: { asset: 'photo', alt: 'Stripes (łódź)' },
          },
        ],
        { markdown: true },
      ),
    );
    const script = `
import json, sys, pypdf
reader = pypdf.PdfReader(sys.argv[1], strict=True)
alts = []
def walk(node):
    node = node.get_object()
    if isinstance(node, pypdf.generic.DictionaryObject):
        if '/Alt' in node: alts.append(node['/Alt'])
        if '/K' in node: walk(node['/K'])
    elif isinstance(node, list):
        for kid in node: walk(kid)
walk(reader.root_object['/StructTreeRoot'])
uris = [a.get_object()['/A']['/URI'] for p in reader.pages for a in p.get('/Annots', [])]
print(json.dumps({'alts': alts, 'uris': uris, 'lang': reader.root_object['/Lang'], 'fonts': [
    f.get_object()['/BaseFont'] for p in reader.pages for f in p['/Resources']['/Font'].values()]}))
`;
    const found = JSON.parse(run(venvPython(), bytes, (file) => ['-c', script, file]));
    expect(found.alts).toEqual(['Pie chart: Shares. Parts: a 1, b 3.', 'Stripes (łódź)']);
    expect(found.uris).toEqual(['https://example.com/a?b=(c)']);
    expect(found.lang).toBe('en');
    for (const font of found.fonts) expect(font).toMatch(/^\/[A-Z]{6}\+/);
  });
});
