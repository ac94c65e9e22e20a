import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { readZip } from '../../../src/documents/ooxml/zip.ts';
import { palettes } from '../../../src/documents/palettes.ts';
import { paletteNames } from '../../../src/domain/documents/common.ts';
import { officeProblems } from '../ooxml/validate.ts';
import { partOf } from './library-table.ts';
import {
  createdAtMs,
  documentXml,
  everything,
  paragraphsOf,
  render,
  textOf,
  wordSpec,
} from './word-specs.ts';

const styleOf = (paragraph: string) => /<w:pStyle w:val="(\w+)"/.exec(paragraph)?.[1];

/** Paragraphs as `Style: text`. */
async function outline(...args: Parameters<typeof wordSpec>): Promise<string[]> {
  return paragraphsOf(await documentXml(wordSpec(...args))).map(
    (paragraph) => `${styleOf(paragraph) ?? 'Normal'}: ${textOf(paragraph)}`,
  );
}

describe('a Word document', () => {
  test.for(paletteNames)('with something of everything is valid in the palette %s', async (palette) => {
    expect(await officeProblems(await render({ ...everything, palette }), 'docx')).toEqual([]);
  });

  test('of no sections is valid', async () => {
    expect(await officeProblems(await render(wordSpec([])), 'docx')).toEqual([]);
  });

  test('has the same bytes for the same spec', async () => {
    expect(Buffer.from(await render(everything)).equals(Buffer.from(await render(everything)))).toBe(true);
  });

  test('has the same bytes from another thread', async () => {
    const script = `
      import { parentPort } from 'node:worker_threads';
      import { everything, render } from ${JSON.stringify(new URL('./word-specs.ts', import.meta.url).href)};
      parentPort.postMessage(await render(everything));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
    const bytes = await new Promise<Uint8Array>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    await worker.terminate();
    expect(Buffer.from(bytes).equals(Buffer.from(await render(everything)))).toBe(true);
  });

  test('writes what a section carries in the order of its fields, in real styles', async () => {
    const section = {
      image: { asset: 'wide', alt: 'x', caption: 'Caption text' },
      numbered: ['n'],
      bullets: ['b'],
      summary: [
        { label: 'Revenue', value: '4' },
        { label: 'Cost', value: '2' },
      ],
      text: 'one\n\n  \ntwo\r\nthree',
      heading: 'Head',
    };
    expect(await outline([section], { title: 'The title', subtitle: 'The subtitle' })).toEqual([
      'Title: The title',
      'Subtitle: The subtitle',
      'Heading2: Head',
      'Normal: one',
      'Normal: two',
      'Normal: three',
      'Summary: Revenue: 4\u2003•\u2003Cost: 2',
      'ListBullet: b',
      'ListNumber: n',
      'Figure: ',
      'Caption: Caption text',
    ]);
  });

  test.for([1, 2, 3] as const)('gives a heading of level %i its style', async (level) => {
    expect(await outline([{ heading: 'x', level }], { title: '' })).toEqual([`Heading${level}: x`]);
  });

  test('writes a heading on one line, so that the navigation pane shows it whole', async () => {
    expect(await outline([{ heading: ' a\nb\tc ' }], { title: 'T\nU' })).toEqual([
      'Title: T U',
      'Heading2: a b c',
    ]);
  });

  test('leaves out titles and headings that show nothing', async () => {
    expect(await outline([{ heading: ' ', text: 'x' }], { title: '', subtitle: ' ' })).toEqual(['Normal: x']);
  });

  test('numbers every list from 1: no two share a numbering', async () => {
    const bytes = await render(wordSpec([{ numbered: ['a', 'b'] }, { numbered: ['c'] }]));
    const used = paragraphsOf(partOf(bytes, 'word/document.xml'))
      .filter((paragraph) => styleOf(paragraph) === 'ListNumber')
      .map((paragraph) => /<w:numId w:val="(\d+)"/.exec(paragraph)?.[1] ?? '');
    expect(used[0]).toBe(used[1]);
    expect(used[2]).not.toBe(used[0]);
    const numbering = partOf(bytes, 'word/numbering.xml');
    for (const id of new Set(used)) {
      expect(numbering).toMatch(
        new RegExp(
          `<w:num w:numId="${id}"><w:abstractNumId [^>]*><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>`,
        ),
      );
    }
  });

  test('shows the Markdown subset only when the spec asks for it', async () => {
    const text = '**b** [l](https://x.org/?a=1&b=2)';
    expect(await outline([{ text }], { title: '' })).toEqual([`Normal: ${text}`]);
    expect(await outline([{ text }], { title: '', markdown: true })).toEqual(['Normal: b l']);
    const bytes = await render(wordSpec([{ text, bullets: [text] }], { markdown: true }));
    const xml = partOf(bytes, 'word/document.xml');
    expect(xml).toContain('<w:b/><w:bCs/></w:rPr><w:t xml:space="preserve">b</w:t>');
    expect(xml.match(/<w:hyperlink [^>]*r:id="link1"/g)).toHaveLength(2);
    expect(partOf(bytes, 'word/_rels/document.xml.rels')).toContain(
      'Target="https://x.org/?a=1&amp;b=2" TargetMode="External"',
    );
  });

  test.for([
    'https://x.org/%',
    'https://x.org/%zz?q=%',
    'https://[::1]:8/',
    'https://u:p@x.org/',
    'https://ü.org/ö#ß',
    'https://x.org/a(b)',
  ])('is valid with a link to %s', async (href) => {
    const bytes = await render(wordSpec([{ text: `[l](${href})` }], { markdown: true }));
    expect(partOf(bytes, 'word/document.xml')).toContain('<w:hyperlink ');
    expect(await officeProblems(bytes, 'docx')).toEqual([]);
  });

  test('keeps tabs and line breaks of items and cells', async () => {
    const table = { columns: [{ header: 'h' }], rows: [['x\ty\nz']] };
    expect(await outline([{ bullets: ['a\nb\tc'], table }], { title: '' })).toEqual([
      'ListBullet: a\nb\tc',
      'TableHeader: h',
      'TableText: x\ty\nz',
      'TableGap: ',
    ]);
  });

  test('carries text of any kind through unchanged', async () => {
    const text = '<w:p> & " \' {bullets-0} &amp; ]]> 😀 日本 x-language splice';
    expect(await outline([{ text, heading: text }], { title: text })).toEqual([
      `Title: ${text}`,
      `Heading2: ${text}`,
      `Normal: ${text}`,
    ]);
  });
});

describe('a table', () => {
  const table = {
    columns: [
      { header: 'Name' },
      { header: 'Amount', format: { kind: 'percent' as const } },
      { header: 'Count' },
    ],
    rows: [
      ['a', 0.5, 1],
      ['b', null, 2],
    ],
  };

  test('has a fixed grid as wide as the text, in twips', async () => {
    const xml = await documentXml(wordSpec([{ table }]));
    expect(xml).toContain('<w:tblLayout w:type="fixed"/>');
    const grid = [...xml.matchAll(/<w:gridCol w:w="(\d+)"\/>/g)].map((match) => Number(match[1]));
    expect(grid).toHaveLength(3);
    expect(grid.reduce((sum, width) => sum + width, 0)).toBe(11_906 - 2 * 1_304);
    expect(xml.match(/<w:tcW w:type="dxa" w:w="\d+"\/>/g)).toHaveLength(9);
  });

  test('repeats its header and splits no row', async () => {
    const xml = await documentXml(wordSpec([{ table }]));
    expect(xml.match(/<w:trPr>.*?<\/w:trPr>/g)).toEqual([
      '<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>',
      '<w:trPr><w:cantSplit/></w:trPr>',
      '<w:trPr><w:cantSplit/></w:trPr>',
    ]);
  });

  test('lets a row split that may be taller than a page', async () => {
    const long = { columns: [{ header: 'h' }], rows: [['word '.repeat(2_000)]] };
    expect((await documentXml(wordSpec([{ table: long }]))).match(/<w:cantSplit\/>/g)).toHaveLength(1);
  });

  test('stands its numbers on the right and shows values by their format', async () => {
    const cells = paragraphsOf(await documentXml(wordSpec([{ table }], { title: '' })));
    const shown = cells.map((cell) => `${/<w:jc w:val="(\w+)"/.exec(cell)?.[1] ?? '-'} ${textOf(cell)}`);
    expect(shown.slice(0, 9)).toEqual([
      '- Name',
      'right Amount',
      'right Count',
      '- a',
      'right 50.0%',
      'right 1',
      '- b',
      'right ',
      'right 2',
    ]);
  });

  test('takes the palette in its header', async () => {
    const xml = await documentXml(wordSpec([{ table }], { palette: 'sunset' }));
    expect(xml.match(new RegExp(`<w:shd w:fill="${palettes.sunset.primary}"`, 'g'))).toHaveLength(3);
  });

  test('never touches another one', async () => {
    const xml = await documentXml(wordSpec([{ table }, { table }]));
    expect(xml).not.toContain('</w:tbl><w:tbl>');
    expect(xml).not.toContain('</w:tbl><w:sectPr>');
  });

  test('too wide for upright pages lies on landscape ones, with its heading', async () => {
    const wide = {
      columns: Array.from({ length: 16 }, (_, index) => ({ header: `Measurement ${index}` })),
      rows: [],
    };
    const xml = await documentXml(
      wordSpec([{ text: 'before' }, { heading: 'Wide', table: wide }, { text: 'after' }]),
    );
    const orientations = [...xml.matchAll(/before|Wide|after|w:orient="(\w+)"/g)].map(
      (match) => match[1] ?? match[0],
    );
    // A section's properties stand in its last paragraph, before that paragraph's text.
    expect(orientations).toEqual(['portrait', 'before', 'Wide', 'landscape', 'after', 'portrait']);
    expect(xml.match(/<w:titlePg\/>/g)).toHaveLength(1);
  });

  test('ends its section with the last paragraph there is: nothing can fall on an empty page', async () => {
    const wide = {
      columns: Array.from({ length: 16 }, (_, index) => ({ header: `Measurement ${index}` })),
      rows: [],
    };
    const sections = [
      { text: 'before' },
      { table: wide },
      {},
      { text: ' \n ' },
      { table: wide },
      { text: 'after' },
    ];
    const xml = await documentXml(wordSpec(sections, { title: '' }));
    const ends = paragraphsOf(xml).filter((paragraph) => paragraph.includes('<w:sectPr>'));
    expect(ends.map((paragraph) => styleOf(paragraph) ?? textOf(paragraph))).toEqual(['before', 'TableGap']);
  });

  test('that is wide and first takes the title to its landscape page', async () => {
    const wide = {
      columns: Array.from({ length: 16 }, (_, index) => ({ header: `Measurement ${index}` })),
      rows: [],
    };
    const xml = await documentXml(wordSpec([{ table: wide }]));
    expect(xml.match(/<w:pgSz [^>]*>/g)).toEqual(['<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>']);
    expect(xml).toContain('<w:titlePg/>');
  });
});

describe('right-to-left text', () => {
  test('marks the paragraph and cuts runs by direction', async () => {
    const xml = await documentXml(wordSpec([{ text: 'نص عربي English 12.\nabc' }], { title: '' }));
    const [arabic = '', latin = ''] = paragraphsOf(xml);
    expect(arabic).toContain('<w:bidi/>');
    expect(latin).not.toContain('<w:bidi/>');
    expect(
      [...arabic.matchAll(/<w:r>(.*?)<\/w:r>/g)].map(([, run = '']) => [
        run.includes('<w:rtl/>'),
        textOf(run),
      ]),
    ).toEqual([
      [true, 'نص عربي '],
      [false, 'English 12'],
      [true, '.'],
    ]);
  });

  test.for([
    'Title',
    'Subtitle',
    'Heading1',
    'ListBullet',
    'ListNumber',
    'Summary',
    'Caption',
    'TableHeader',
    'TableText',
  ])('is marked in %s', async (style) => {
    const text = 'שלום';
    const xml = await documentXml(
      wordSpec(
        [
          {
            heading: text,
            level: 1,
            bullets: [text],
            numbered: [text],
            summary: [{ label: text, value: text }],
            table: { columns: [{ header: text }], rows: [[text]] },
            image: { asset: 'wide', alt: text, caption: text },
          },
        ],
        { title: text, subtitle: text },
      ),
    );
    const paragraph = paragraphsOf(xml).find((each) => styleOf(each) === style) ?? '';
    expect(paragraph).toContain('<w:bidi/>');
    expect(paragraph).toContain('<w:rtl/>');
  });

  test('in the headers turns the columns of a table round', async () => {
    const rows = [['a']];
    expect(await documentXml(wordSpec([{ table: { columns: [{ header: 'שם' }], rows } }]))).toContain(
      '<w:bidiVisual/>',
    );
    expect(await documentXml(wordSpec([{ table: { columns: [{ header: 'a' }], rows } }]))).not.toContain(
      'bidiVisual',
    );
  });

  test('keeps the side that a column asks for', async () => {
    const table = { columns: [{ header: 'שם', align: 'right' as const }], rows: [['שם'], ['a']] };
    const xml = await documentXml(wordSpec([{ table }], { title: '' }));
    const sides = paragraphsOf(xml).map((cell) => /<w:jc w:val="(\w+)"/.exec(cell)?.[1]);
    // `left` is the leading edge of a right-to-left paragraph.
    expect(sides.slice(0, 3)).toEqual(['left', 'left', 'right']);
  });
});

describe('a picture', () => {
  const size = async (asset: string, width?: number): Promise<number[]> => {
    const image = { asset, alt: 'alt', ...(width === undefined ? {} : { width }) };
    const xml = await documentXml(wordSpec([{ image }]));
    const [, cx, cy] = /<wp:extent cx="(\d+)" cy="(\d+)"\/>/.exec(xml) ?? [];
    return [Number(cx) / 914_400, Number(cy) / 914_400];
  };

  test('is as wide as asked, in inches, and keeps its proportions', async () => {
    expect(await size('wide', 2)).toEqual([2, 0.5]);
  });

  test('is as wide as its pixels at 96 to the inch when nothing is asked', async () => {
    const [width = 0] = await size('wide');
    expect(width).toBeCloseTo(400 / 96, 4);
  });

  test('never leaves the text area', async () => {
    const [width = 0] = await size('wide', 100);
    expect(width).toBeCloseTo((11_906 - 2 * 1_304) / 1_440, 3);
    const [, height = 0] = await size('tall', 5);
    expect(height).toBeLessThan((16_838 - 1_440 - 1_304) / 1_440);
  });

  test('has alternative text, or says that it is decorative', async () => {
    const xml = await documentXml(
      wordSpec([{ image: { asset: 'wide', alt: 'a "b" <c>' } }, { image: { asset: 'wide', alt: '' } }]),
    );
    expect(xml).toContain('descr="a &quot;b&quot; &lt;c&gt;"');
    expect(xml.match(/decorative [^>]*val="1"/g)).toHaveLength(1);
  });

  test('used twice is stored once', async () => {
    const images = ['wide', 'wide', 'wide again'].map((asset) => ({ image: { asset, alt: 'x' } }));
    const names = [...readZip(await render(wordSpec(images))).keys()];
    expect(names.filter((name) => name.startsWith('word/media/'))).toEqual(['word/media/image1.png']);
  });

  test('that is not there is a failure, not a gap', async () => {
    await expect(render(wordSpec([{ image: { asset: 'none', alt: 'x' } }]))).rejects.toThrow('no image none');
  });
});

describe('a chart', () => {
  const labels = Array.from({ length: 30 }, (_, index) => `L${index}`);

  test('is a captioned box with its type, title, categories and series', async () => {
    const chart = {
      type: 'bar' as const,
      title: 'Sales',
      labels: ['Q1', 'Q2'],
      datasets: [{ label: 'North', data: [0.5, null] }],
      options: { numberFormat: { kind: 'percent' as const } },
    };
    expect(await outline([{ chart }], { title: '' })).toEqual([
      'ChartBox: Bar chart: Sales',
      'ChartBox: Categories: Q1; Q2',
      'ChartBox: ■ North: 50.0%; –',
      'Caption: Chart data: 1 series, 2 categories',
    ]);
  });

  test('groups the digits of whole numbers', async () => {
    const datasets = [{ label: 'S', data: [1234567, -40000, 0.5] }];
    const lines = await outline(
      [{ chart: { type: 'line', labels: ['a', 'b', 'c'], datasets, options: {} } }],
      {
        title: '',
      },
    );
    expect(lines).toContain('ChartBox: ■ S: 1,234,567; -40,000; 0.5');
  });

  test('counts what a large one leaves out', async () => {
    const datasets = Array.from({ length: 14 }, (_, index) => ({
      label: `S${index}`,
      data: labels.map(() => 1),
    }));
    const lines = await outline([{ chart: { type: 'line', labels, datasets, options: {} } }], { title: '' });
    expect(lines[0]).toBe('ChartBox: Line chart');
    expect(lines[1]).toMatch(/L23; … \(6 more\)$/);
    expect(lines.at(-2)).toBe('ChartBox: 2 more series');
  });
});

describe('the package', () => {
  test('carries title, subtitle, language and the time of the request', async () => {
    const core = partOf(await render(everything), 'docProps/core.xml');
    expect(core).toContain('<dc:title>Annual report &lt;2026&gt; &amp; more</dc:title>');
    expect(core).toContain('<dc:subject>For the board</dc:subject>');
    expect(core).toContain('<dc:language>en-US</dc:language>');
    expect(new Date(createdAtMs).toISOString()).toBe('2026-01-02T03:04:05.678Z');
    expect(core.match(/2026-01-02T03:04:05Z/g)).toHaveLength(2);
  });

  test('has a header with the title and footers with page numbers, on the first page too', async () => {
    const bytes = await render(everything);
    expect(textOf(partOf(bytes, 'word/header1.xml'))).toBe('Annual report <2026> & more');
    expect(textOf(partOf(bytes, 'word/header2.xml'))).toBe('');
    for (const footer of ['word/footer1.xml', 'word/footer2.xml']) {
      expect(partOf(bytes, footer)).toMatch(/>PAGE<.* of .*>NUMPAGES</);
    }
  });

  test('cuts a long title in the header and in the properties only', async () => {
    const title = 'word '.repeat(400).trim();
    const bytes = await render(wordSpec([], { title }));
    expect(textOf(partOf(bytes, 'word/header1.xml')).length).toBeLessThanOrEqual(90);
    expect(
      /<dc:title>(.*)<\/dc:title>/.exec(partOf(bytes, 'docProps/core.xml'))?.[1]?.length,
    ).toBeLessThanOrEqual(255);
    expect(textOf(partOf(bytes, 'word/document.xml'))).toBe(title);
  });

  test.for([
    ['en', 'Microsoft YaHei'],
    ['ja-JP', 'Yu Gothic'],
    ['ko', 'Malgun Gothic'],
    ['zh-CN', 'Microsoft YaHei'],
    ['zh-TW', 'Microsoft JhengHei'],
    ['zh-Hant-HK', 'Microsoft JhengHei'],
  ] as const)('names fonts for East Asian and complex scripts: %s', async ([language, font]) => {
    const styles = partOf(await render(wordSpec([], { language })), 'word/styles.xml');
    expect(styles).toContain(
      `<w:rFonts w:ascii="Calibri" w:cs="Arial" w:eastAsia="${font}" w:hAnsi="Calibri"/>`,
    );
    expect(styles).toContain(`<w:lang w:val="${language}" w:eastAsia="${language}" w:bidi="${language}"/>`);
  });

  test.for([
    ['Title', 'Title'],
    ['Subtitle', 'Subtitle'],
    ['Heading1', 'Heading 1'],
    ['Heading2', 'Heading 2'],
    ['Heading3', 'Heading 3'],
    ['ListBullet', 'List Bullet'],
    ['ListNumber', 'List Number'],
    ['Caption', 'caption'],
    ['ReportTable', 'Report Table'],
  ])('defines the style %s under Word’s name for it', async ([id, name]) => {
    const styles = partOf(await render(wordSpec([])), 'word/styles.xml');
    expect(styles).toContain(`w:styleId="${id}"><w:name w:val="${name}"/>`);
  });

  test('defines every style that a document uses', async () => {
    const bytes = await render(everything);
    const defined = new Set(
      [...partOf(bytes, 'word/styles.xml').matchAll(/w:styleId="(\w+)"/g)].map(([, id]) => id),
    );
    const used = [
      ...partOf(bytes, 'word/document.xml').matchAll(/<w:(?:pStyle|rStyle|tblStyle) w:val="(\w+)"/g),
    ].map(([, id]) => id);
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((id) => !defined.has(id))).toEqual([]);
  });
});
