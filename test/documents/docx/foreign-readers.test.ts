import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWith, findProgram } from '../../programs.ts';
import { everything, render, wordSpec } from './word-specs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'word-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

function pythonWithDocx(): string | undefined {
  const own = resolve('.venv/bin/python');
  const python = existsSync(own) ? own : findProgram('python3');
  if (python === undefined) return undefined;
  try {
    execFileSync(python, ['-c', 'import docx'], { stdio: 'ignore' });
    return python;
  } catch {
    return undefined;
  }
}

const python = pythonWithDocx();

describeWith({ name: 'python-docx', path: python }, 'python-docx', () => {
  const script = `
import json, sys, docx
d = docx.Document(sys.argv[1])
c = d.core_properties
print(json.dumps({
  'paragraphs': [[p.style.name, p.text] for p in d.paragraphs],
  'links': [h.address for p in d.paragraphs for h in p.hyperlinks],
  'tables': [{'style': t.style.name, 'rows': [[x.text for x in r.cells] for r in t.rows]} for t in d.tables],
  'pictures': len(d.inline_shapes),
  'sections': [s.orientation for s in d.sections],
  'header': d.sections[0].header.paragraphs[0].text,
  'core': [c.title, c.subject, c.language, c.created.isoformat()],
}))`;

  test('reads back the styles, the text, the tables and the properties', async () => {
    const path = join(folder, 'python.docx');
    await writeFile(path, await render(everything));
    const read = JSON.parse(execFileSync(python ?? '', ['-c', script, path], { encoding: 'utf8' }));
    const shown = read.paragraphs.filter(
      ([style]: [string]) => !['Table Gap', 'Figure', 'Chart Box'].includes(style),
    );
    expect(shown.slice(0, 13)).toEqual([
      ['Title', 'Annual report <2026> & more'],
      ['Subtitle', 'For the board'],
      ['Heading 1', 'Executive summary'],
      ['Normal', 'A bold start, with code and a link.'],
      ['Normal', 'A second paragraph.'],
      ['Summary', 'Revenue: $4.2M\u2003•\u2003Growth: 12%'],
      ['List Bullet', 'First'],
      ['List Bullet', 'Second bold'],
      ['List Number', 'One'],
      ['List Number', 'Two'],
      ['Heading 3', 'Numbered again'],
      ['List Number', 'One'],
      ['List Number', 'Two'],
    ]);
    expect(read.links).toEqual(['https://example.com/?a=1&b=2']);
    expect(read.tables[0]).toEqual({
      style: 'Report Table',
      rows: [
        ['Customer', 'Amount', 'When'],
        ['Alpha & Sons', '$1,234.50', '2026-01-02'],
        ['Beta', '-$2.00', ''],
      ],
    });
    expect(read.tables).toHaveLength(3);
    expect(read.pictures).toBe(2);
    expect(read.sections).toEqual([0, 1, 0]);
    expect(read.header).toBe('Annual report <2026> & more');
    expect(read.core).toEqual([
      'Annual report <2026> & more',
      'For the board',
      'en-US',
      '2026-01-02T03:04:05+00:00',
    ]);
  });
});

const soffice = findProgram('soffice', 'libreoffice');
const pdftotext = findProgram('pdftotext');
const office = soffice === undefined || pdftotext === undefined ? undefined : soffice;

describeWith({ name: 'LibreOffice with poppler', path: office }, 'LibreOffice', () => {
  /** The text of each page, as `pdftotext -layout` reads it. */
  async function pagesOf(name: string, bytes: Uint8Array): Promise<string[]> {
    const path = join(folder, `${name}.docx`);
    await writeFile(path, bytes);
    execFileSync(
      office ?? '',
      [
        '--headless',
        `-env:UserInstallation=file://${join(folder, 'profile')}`,
        '--convert-to',
        'pdf',
        '--outdir',
        folder,
        path,
      ],
      { stdio: 'ignore', timeout: 110_000 },
    );
    expect(await readdir(folder)).toContain(`${name}.pdf`);
    const text = execFileSync(pdftotext ?? '', ['-layout', join(folder, `${name}.pdf`), '-'], {
      encoding: 'utf8',
    });
    return text.split('\f').slice(0, -1);
  }

  test('opens it, numbers its pages and repeats header rows', { timeout: 120_000 }, async () => {
    const table = {
      columns: [{ header: 'Order number' }, { header: 'Value' }],
      rows: Array.from({ length: 120 }, (_, index) => [`A-${index}`, index]),
    };
    const pages = await pagesOf(
      'pages',
      await render(
        wordSpec([{ heading: 'Orders', table }, { numbered: ['first', 'second'] }, { numbered: ['again'] }]),
      ),
    );
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`${index + 1} of ${pages.length}`);
      expect(page.trim().split('\n').length, `page ${index + 1} is not empty`).toBeGreaterThan(2);
    }
    for (const page of pages.filter((each) => /A-\d/.test(each)))
      expect(page).toMatch(/Order number\s+Value/);
    const text = pages.join('\n');
    expect(text).toMatch(/1\.\s+first\n\s*2\.\s+second\n\s*1\.\s+again/);
  });

  test('gives no page to the ends of sections: tables that fill a page leave none empty', {
    timeout: 120_000,
  }, async () => {
    const rows = Array.from({ length: 30 }, (_, row) =>
      Array.from({ length: 16 }, (_, column) => row * column),
    );
    const wide = {
      columns: Array.from({ length: 16 }, (_, index) => ({ header: `Measurement ${index}` })),
      rows,
    };
    const pages = await pagesOf(
      'sections',
      await render(wordSpec([{ text: 'a' }, { table: wide }, { text: 'b' }, { table: wide }])),
    );
    for (const page of pages) expect(page.trim().split('\n').length).toBeGreaterThan(2);
  });
});
