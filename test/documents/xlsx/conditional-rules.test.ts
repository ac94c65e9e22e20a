import { describe, expect, test } from 'vitest';
import { readZip } from '../../../src/documents/ooxml/zip.ts';
import { renderWorkbook } from '../../../src/documents/xlsx/render-workbook.ts';
import {
  type ConditionalRule,
  iconSets,
  type WorkbookSpec,
} from '../../../src/domain/documents/workbook-spec.ts';
import { officeProblems } from '../ooxml/validate.ts';
import { inputOf, workbookOf } from './sample-workbooks.ts';

const style = { color: '9B1C1C', background: 'F8D7DA', bold: true };
const target = { column: 1 };

function workbook(rules: readonly ConditionalRule[], above: Partial<WorkbookSpec> = {}) {
  return workbookOf(
    [
      { key: 'a', header: 'A' },
      { key: 'b', header: 'B' },
      { key: 'd', header: 'D', format: { kind: 'date' } },
    ],
    [
      ['x', 1, '2026-01-01'],
      ['y', 2, '2026-01-02'],
    ],
    { conditionalRules: rules, ...above },
  );
}

async function sheetXml(
  rules: readonly ConditionalRule[],
  above: Partial<WorkbookSpec> = {},
): Promise<string> {
  const { bytes } = await renderWorkbook(inputOf(workbook(rules, above)));
  return Buffer.from(readZip(bytes).get('xl/worksheets/sheet1.xml') ?? []).toString('utf8');
}

const everyKind: readonly ConditionalRule[] = [
  { target, type: 'cellIs', operator: 'between', values: [1, 2], style },
  { target, type: 'containsText', text: 'a"b*', style },
  { target, type: 'top', rank: 3, percent: false, style },
  { target, type: 'bottom', rank: 10, percent: true, style },
  { target, type: 'aboveAverage', below: true, style },
  { target, type: 'duplicate', unique: false, style },
  { target, type: 'duplicate', unique: true, style },
  { target, type: 'colorScale', colors: ['F8696B', 'FFEB84', '63BE7B'] },
  { target, type: 'dataBar' },
  { target, type: 'expression', formula: '$B2>1', style },
  ...iconSets.map(
    (iconSet): ConditionalRule => ({ target, type: 'iconSet', iconSet, reverse: true, showValue: false }),
  ),
];

describe('conditional formatting', () => {
  test('of every kind is valid', async () => {
    const { bytes } = await renderWorkbook(inputOf(workbook(everyKind)));
    expect(await officeProblems(bytes, 'xlsx')).toEqual([]);
  });

  test('keeps every rule, in its order of priority', async () => {
    const xml = await sheetXml(everyKind);
    const priorities = [...xml.matchAll(/<cfRule [^>]*priority="(\d+)"/g)].map(([, priority]) =>
      Number(priority),
    );
    expect(priorities).toEqual(everyKind.map((_, index) => index + 1));
    expect(xml).toContain('type="duplicateValues"');
    expect(xml).toContain('type="uniqueValues"');
    expect(xml).not.toContain('rule:');
  });

  test('searches for text without wildcards', async () => {
    const xml = await sheetXml([everyKind[1] as ConditionalRule]);
    expect(xml).toContain('text="a&quot;b*"');
    expect(xml).toContain('SEARCH(&quot;a&quot;&quot;b~*&quot;,B2)');
  });

  test('compares dates with day numbers and text with text', async () => {
    const xml = await sheetXml([
      { target: { column: 2 }, type: 'cellIs', operator: 'greaterThan', values: ['2026-01-01'], style },
      { target, type: 'cellIs', operator: 'equal', values: ['=B2'], style },
    ]);
    expect(xml).toContain('<formula>46023</formula>');
    expect(xml).toContain('<formula>&quot;=B2&quot;</formula>');
  });

  test('speaks of the same data under a title, and under a logo that moves the table down', async () => {
    const rules: ConditionalRule[] = [
      { target: { ref: 'B2:B3' }, type: 'expression', formula: '$B2>1', style },
    ];
    expect(await sheetXml(rules)).toMatch(/sqref="B2:B3">.*<formula>\$B2&gt;1</);
    expect(await sheetXml(rules, { title: 'Title' })).toMatch(/sqref="B2:B3">.*<formula>\$B2&gt;1</);
    const logo = { asset: 'wide', alt: '' };
    expect(await sheetXml(rules, { logo })).toMatch(/sqref="B4:B5">.*<formula>\$B4&gt;1</);
  });

  test.for(['(A1', 'A1)', 'A1="x', '  ', ')('])('refuses the formula %j', async (formula) => {
    await expect(sheetXml([{ target, type: 'expression', formula, style }])).rejects.toMatchObject({
      slug: 'spec_invalid',
      violations: [{ pointer: '/conditionalFormatting/0/formula' }],
    });
  });

  test('refuses a range beyond the sheet', async () => {
    const rule: ConditionalRule = { target: { ref: 'ZZZ1:ZZZ2' }, type: 'dataBar' };
    await expect(sheetXml([rule])).rejects.toMatchObject({ slug: 'spec_invalid' });
  });
});
