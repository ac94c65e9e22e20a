import { describe, expect, test } from 'vitest';
import { readZip } from '../../../src/documents/ooxml/zip.ts';
import { renderDeck } from '../../../src/documents/pptx/render-deck.ts';
import { chartTypes, paletteNames } from '../../../src/domain/documents/common.ts';
import { type DeckSpec, shapeNames } from '../../../src/domain/documents/deck-spec.ts';
import { limits } from '../../../src/domain/limits.ts';
import { packageProblems } from '../ooxml/check-package.ts';
import { officeProblems } from '../ooxml/validate.ts';
import { chart, completeDeck, deck, input, plain, salesTable, slide, text } from './sample-decks.ts';

const box = { x: 0.5, y: 1.5, w: 12.3, h: 5 };

async function partsOf(spec: DeckSpec): Promise<(name: string) => string> {
  const { bytes } = await renderDeck(input(spec));
  const parts = readZip(bytes);
  return (name) => Buffer.from(parts.get(name) ?? new Uint8Array()).toString('utf8');
}

async function firstSlide(...elements: Parameters<typeof slide>): Promise<string> {
  return (await partsOf(deck([slide(...elements)])))('ppt/slides/slide1.xml');
}

describe('the package', () => {
  test.for(paletteNames)('with every element is valid in the palette %s', async (palette) => {
    const { bytes, warnings } = await renderDeck(input(completeDeck({ palette })));
    expect(await officeProblems(bytes, 'pptx')).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test('is the same for the same input, whatever was rendered before it', async () => {
    const first = await renderDeck(input(completeDeck()));
    await renderDeck(input(deck([slide({ type: 'chart', chart: chart('pie'), ...box })])));
    const second = await renderDeck(input(completeDeck()));
    expect(Buffer.from(second.bytes).equals(first.bytes)).toBe(true);
  });

  test('is the same when two are made at once', async () => {
    const [one, other] = await Promise.all([
      renderDeck(input(completeDeck())),
      renderDeck(input(completeDeck())),
    ]);
    expect(Buffer.from(one.bytes).equals(other.bytes)).toBe(true);
  });

  test('names the content types first and only those of parts that are there', async () => {
    const { bytes } = await renderDeck(input(completeDeck()));
    expect([...readZip(bytes).keys()][0]).toBe('[Content_Types].xml');
    expect(packageProblems(bytes)).toEqual([]);
  });

  test('is compressed', async () => {
    const { bytes } = await renderDeck(
      input(deck([slide({ type: 'table', table: salesTable(200), ...box })])),
    );
    const uncompressed = [...readZip(bytes).values()].reduce((sum, part) => sum + part.byteLength, 0);
    expect(bytes.byteLength * 4).toBeLessThan(uncompressed);
  });

  test('carries title, subtitle, language and the time of the request, and no other time', async () => {
    const part = await partsOf(deck([slide()], { title: 'A & B', subtitle: 'For <all>', language: 'pl' }));
    const core = part('docProps/core.xml');
    expect(core).toContain('<dc:title>A &amp; B</dc:title>');
    expect(core).toContain('<dc:subject>For &lt;all&gt;</dc:subject>');
    expect(core).toContain('<dc:language>pl</dc:language>');
    expect(core.match(/\d{4}-\d\d-\d\dT[\d:]+Z/g)).toEqual(['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z']);
  });

  test('stores a picture once, however often it is shown', async () => {
    const image = { type: 'image', image: { asset: 'wide', alt: 'x' }, sizing: 'contain', ...box } as const;
    const { bytes } = await renderDeck(input(deck([slide(image, image), slide(image)])));
    expect([...readZip(bytes).keys()].filter((name) => name.startsWith('ppt/media/'))).toEqual([
      'ppt/media/image1.png',
    ]);
  });

  test('has a workbook behind every chart', async () => {
    const elements = chartTypes.map((type) => ({ type: 'chart', chart: chart(type), ...box }) as const);
    const { bytes } = await renderDeck(input(deck([slide(...elements)])));
    const parts = readZip(bytes);
    for (const number of chartTypes.keys()) {
      const rels = Buffer.from(parts.get(`ppt/charts/_rels/chart${number + 1}.xml.rels`) ?? []).toString();
      expect(rels).toContain(`../embeddings/workbook${number + 1}.xlsx`);
      const workbook = parts.get(`ppt/embeddings/workbook${number + 1}.xlsx`) ?? new Uint8Array();
      expect(await officeProblems(workbook, 'xlsx')).toEqual([]);
    }
  });
});

describe('slides', () => {
  test('show their number unless they are told not to', async () => {
    const part = await partsOf(deck([slide(), { elements: [], showPageNumber: false }, slide()]));
    expect(part('ppt/slides/slide1.xml')).toMatch(/type="slidenum">.*<a:t>1<\/a:t>/);
    expect(part('ppt/slides/slide2.xml')).not.toContain('slidenum');
    expect(part('ppt/slides/slide3.xml')).toMatch(/type="slidenum">.*<a:t>3<\/a:t>/);
  });

  test('keep speaker notes, a paragraph to a line, and have no notes part without them', async () => {
    const part = await partsOf(deck([{ ...slide(), notes: 'one\n\n<two>' }, slide()]));
    const notes = part('ppt/notesSlides/notesSlide1.xml');
    expect([...notes.matchAll(/<a:t>([^<]*)/g)].map(([, line]) => line)).toEqual(['one', '&lt;two&gt;']);
    expect(notes.match(/<a:p>/g)).toHaveLength(3);
    expect(part('ppt/notesSlides/notesSlide2.xml')).toBe('');
  });

  test('take a colour or a picture as their background', async () => {
    const part = await partsOf(
      deck([
        { ...slide(), background: { color: '14213D' } },
        { ...slide(), background: { image: { asset: 'wide', alt: '' } } },
      ]),
    );
    expect(part('ppt/slides/slide1.xml')).toContain('<p:bg><p:bgPr><a:solidFill><a:srgbClr val="14213D"/>');
    const picture = part('ppt/slides/slide2.xml');
    const [, left, top] = /<a:fillRect l="(-?\d+)" t="(-?\d+)"/.exec(picture) ?? [];
    // 480 by 160 pixels cover 13.333 by 7.5 inches at 22.5 by 7.5.
    expect(Number(left)).toBeCloseTo(-34_377, -1);
    expect(Math.abs(Number(top))).toBe(0);
    expect(part('ppt/slides/_rels/slide2.xml.rels')).toContain('slideLayout2.xml');
  });

  test('give their title to readers that list slides', async () => {
    const xml = await firstSlide(
      text('small', { x: 1, y: 0, w: 3, h: 0.3 }, { fontSize: 10 }),
      text('Heading', { x: 1, y: 0.5, w: 9, h: 1 }, { fontSize: 28 }),
      text('42 %', { x: 1, y: 3, w: 9, h: 3 }, { fontSize: 90 }),
    );
    expect(xml.match(/<p:ph type="title"\/>/g)).toHaveLength(1);
    expect(/<p:ph type="title"\/>.*?<a:t>([^<]*)/.exec(xml)?.[1]).toBe('Heading');
  });
});

describe('elements', () => {
  test('text carries its whole style', async () => {
    const xml = await firstSlide(
      text('a', box, {
        fontSize: 21.5,
        bold: true,
        italic: true,
        underline: true,
        color: 'C0392B',
        align: 'justify',
        valign: 'bottom',
        fontFace: 'A&B',
      }),
    );
    expect(xml).toContain('sz="2150" b="1" i="1" u="sng"');
    expect(xml).toContain('<a:srgbClr val="C0392B"/></a:solidFill><a:latin typeface="A&amp;B"/>');
    expect(xml).toContain('algn="just"');
    expect(xml).toContain('anchor="b"');
  });

  test('bullets stand before each line that says something', async () => {
    const xml = await firstSlide(text('one\n\n two \nthree\n', box, { bullet: true }));
    expect(xml.match(/<a:buChar/g)).toHaveLength(3);
    expect([...xml.matchAll(/<a:r>.*?<a:t>([^<]*)/g)].map(([, line]) => line)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  test('paragraphs in Hebrew and Arabic run from right to left', async () => {
    const xml = await firstSlide(text('שלום abc\nabc שלום', box));
    expect([...xml.matchAll(/<a:pPr[^>]*>/g)].map(([tag]) => tag.includes('rtl="1"')).slice(0, 2)).toEqual([
      true,
      false,
    ]);
  });

  test.for(shapeNames)('the shape %s is drawn with its text', async (shape) => {
    const xml = await firstSlide({ type: 'shape', shape, text: 'In it', ...plain, ...box });
    expect(xml).toContain(`<a:prstGeom prst="${shape}">`);
    expect(xml).toContain('<a:t>In it</a:t>');
  });

  test('a shape takes the fill, the outline and text that can be read on it', async () => {
    const line = { color: '00FF00', width: 2, dash: 'dot' } as const;
    const light = await firstSlide({
      type: 'shape',
      shape: 'rect',
      fill: 'FFEE99',
      line,
      text: 'x',
      ...plain,
      ...box,
    });
    expect(light).toContain(
      '<a:srgbClr val="FFEE99"/></a:solidFill><a:ln w="25400"><a:solidFill><a:srgbClr val="00FF00"/>',
    );
    expect(light).toContain('<a:prstDash val="sysDot"/>');
    expect(light).toMatch(/<a:rPr[^>]*><a:solidFill><a:schemeClr val="tx1"\/>/);
    const dark = await firstSlide({
      type: 'shape',
      shape: 'rect',
      fill: '101010',
      text: 'x',
      ...plain,
      ...box,
    });
    expect(dark).toMatch(/<a:rPr[^>]*><a:solidFill><a:schemeClr val="bg1"\/>/);
  });

  test('text without a colour can be read on the shape or the background below it', async () => {
    const band = {
      type: 'shape',
      shape: 'rect',
      fill: '101010',
      ...plain,
      x: 0,
      y: 0,
      w: 13.333,
      h: 2,
    } as const;
    const onBand = await firstSlide(band, text('above', { x: 1, y: 0.5, w: 5, h: 1 }));
    expect(/<a:rPr[^>]*>(.*?)<\/a:rPr><a:t>above/.exec(onBand)?.[1]).toContain('bg1');
    const below = await firstSlide(band, text('below', { x: 1, y: 3, w: 5, h: 1 }));
    expect(/<a:rPr[^>]*>(.*?)<\/a:rPr><a:t>below/.exec(below)?.[1]).toContain('tx1');
  });

  test('a line runs from its first point to its second, with its arrows and dashes', async () => {
    const xml = await firstSlide({
      type: 'line',
      x1: 5,
      y1: 1,
      x2: 2,
      y2: 4,
      color: 'AA0000',
      width: 3,
      dash: 'dash',
      beginArrow: false,
      endArrow: true,
    });
    expect(xml).toContain(
      '<a:xfrm flipH="1"><a:off x="1828800" y="914400"/><a:ext cx="2743200" cy="2743200"/>',
    );
    expect(xml).toContain(
      '<a:ln w="38100"><a:solidFill><a:srgbClr val="AA0000"/></a:solidFill><a:prstDash val="dash"/>',
    );
    expect(xml).toContain('<a:tailEnd type="triangle"/>');
    expect(xml).not.toContain('headEnd');
  });

  test('a picture says its alternative text, or that it is decoration', async () => {
    const image = { type: 'image', sizing: 'contain', ...box } as const;
    const told = await firstSlide({ ...image, image: { asset: 'wide', alt: 'A "blue" circle' } });
    expect(told).toContain('descr="A &quot;blue&quot; circle"');
    expect(told).not.toContain('adec:decorative');
    expect(await firstSlide({ ...image, image: { asset: 'wide', alt: '' } })).toContain('<adec:decorative');
  });

  test('table cells show formatted values, aligned by their kind, with their own style', async () => {
    const xml = await firstSlide({
      type: 'table',
      table: {
        columns: [{ header: 'Name' }, { header: 'Sum', format: { kind: 'currency', currency: 'EUR' } }],
        rows: [[{ value: 'a\nb' }, { value: -1234.5, bold: true, color: 'C0392B', fill: 'FFEEEE' }]],
        header: { fill: '112233', color: 'FFEE00', bold: false },
        fontSize: 15,
      },
      ...box,
    });
    const cells = [...xml.matchAll(/<a:tc>(.*?)<\/a:tc>/g)].map(([, cell]) => cell ?? '');
    expect(cells).toHaveLength(4);
    expect(cells[0]).toMatch(/algn="l".*sz="1500" b="0".*FFEE00.*Name.*112233/);
    expect(cells[2]?.match(/<a:p>/g)).toHaveLength(2);
    expect(cells[3]).toMatch(/algn="r".*b="1".*C0392B.*<a:t>-€1,234.50<\/a:t>.*FFEEEE/);
  });

  test('a table in Hebrew begins at the right', async () => {
    const xml = await firstSlide({
      type: 'table',
      table: {
        columns: [{ header: 'אזור' }, { header: 'סכום' }, { header: 'הערה', align: 'center' }],
        rows: [[{ value: 'צפון' }, { value: 12 }, { value: 'x' }]],
        header: { bold: true },
      },
      ...box,
    });
    expect(xml).toContain('<a:tblPr rtl="1"');
    expect([...xml.matchAll(/<a:pPr algn="(\w+)"/g)].map(([, align]) => align).slice(0, 6)).toEqual([
      'r',
      'l',
      'ctr',
      'r',
      'l',
      'ctr',
    ]);
  });

  test('a table without columns has no header row', async () => {
    const xml = await firstSlide({
      type: 'table',
      table: { rows: [[{ value: 'only' }]], header: { bold: true } },
      ...box,
    });
    expect(xml.match(/<a:tr /g)).toHaveLength(1);
    expect(xml).not.toContain('firstRow="1"');
  });
});

describe('what cannot be shown as asked', () => {
  test.for([
    [
      'a chart without data',
      {
        type: 'chart',
        chart: { type: 'pie', labels: ['a'], datasets: [{ label: 'b', data: [null] }], options: {} },
        ...box,
      },
      'slide 1: a chart has no data',
    ],
    [
      'an element off the canvas',
      text('x', { x: 14, y: 1, w: 2, h: 1 }),
      'slide 1: a text element has nothing to show on the canvas',
    ],
    [
      'a shape without size',
      { type: 'shape', shape: 'rect', ...plain, x: 1, y: 1, w: 0, h: 1 },
      'slide 1: a shape element has nothing to show on the canvas',
    ],
    [
      'a line without length',
      { type: 'line', x1: 1, y1: 1, x2: 1, y2: 1, beginArrow: false, endArrow: false },
      'slide 1: a line element has nothing to show on the canvas',
    ],
    [
      'a table without cells',
      { type: 'table', table: { rows: [], header: { bold: true } }, ...box },
      'slide 1: a table element has nothing to show on the canvas',
    ],
    [
      'a text too long for its box',
      text('word '.repeat(5_000), { x: 1, y: 1, w: 1, h: 0.2 }),
      'slide 1: a text is too long for its box',
    ],
  ] as const)('%s is named in a warning', async ([, element, warning]) => {
    const { bytes, warnings } = await renderDeck(input(deck([slide(element)])));
    expect(warnings).toEqual([warning]);
    expect(packageProblems(bytes)).toEqual([]);
  });

  test('many warnings end in their number', async () => {
    const slides = Array.from({ length: 30 }, () => slide(text('x', { x: 14, y: 1, w: 2, h: 1 })));
    const { warnings } = await renderDeck(input(deck(slides)));
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('10 more warnings of this kind');
  });

  test('tables that need more slides than a deck may have are refused', async () => {
    const table = { ...salesTable(limits.pptx.slidesWritten), fontSize: 200 };
    await expect(renderDeck(input(deck([slide({ type: 'table', table, ...box })])))).resolves.toBeDefined();
    const more = { ...salesTable(limits.pptx.slidesWritten + 1), fontSize: 200 };
    await expect(
      renderDeck(input(deck([slide({ type: 'table', table: more, ...box })]))),
    ).rejects.toMatchObject({
      slug: 'spec_invalid',
      title: `pptx: the tables need more than ${limits.pptx.slidesWritten} slides`,
    });
  });

  test('more charts than a deck may have are refused', async () => {
    const small: DeckSpec['slides'][number]['elements'][number] = {
      type: 'chart',
      chart: { type: 'bar', labels: ['a'], datasets: [{ label: 'b', data: [1] }], options: {} },
      ...box,
    };
    const slidesOf = (count: number) => deck([slide(...Array.from({ length: count }, () => small))]);
    await expect(renderDeck(input(slidesOf(limits.pptx.charts)))).resolves.toBeDefined();
    await expect(renderDeck(input(slidesOf(limits.pptx.charts + 1)))).rejects.toMatchObject({
      slug: 'spec_invalid',
    });
  });
});
