import { describe, expect, test } from 'vitest';
import { embeddedChart } from '../../../../src/documents/charts/drawingml/embedded-workbook.ts';
import { palettes } from '../../../../src/documents/palettes.ts';
import type { Chart } from '../../../../src/domain/documents/common.ts';
import { chartTypes } from '../../../../src/domain/documents/common.ts';
import { officeProblems } from '../../ooxml/validate.ts';
import { hostWorkbook } from './host-workbook.ts';
import { sampleCharts } from './sample-charts.ts';

const options = { palette: palettes.corporate, externalWorkbookRelId: 'rId1' };
const xmlOf = (chart: Chart) => embeddedChart(chart, options).xml;

describe('a chart part', () => {
  test.for(chartTypes)('is valid against the schema for %s', async (type) => {
    expect(await officeProblems(hostWorkbook(sampleCharts[type]), 'xlsx')).toEqual([]);
  });

  test.for(chartTypes)('is valid for %s without data, title or series', async (type) => {
    const empty: Chart = { type, labels: [], datasets: [], options: {} };
    expect(await officeProblems(hostWorkbook(empty), 'xlsx')).toEqual([]);
  });

  test.for(chartTypes)('has the same bytes each time for %s', (type) => {
    const once = embeddedChart(sampleCharts[type], options);
    const again = embeddedChart(structuredClone(sampleCharts[type]), options);
    expect(again.xml).toBe(once.xml);
    expect(Buffer.from(again.workbook).equals(once.workbook)).toBe(true);
  });

  test('caches names, categories and values, and leaves gaps out', () => {
    const xml = xmlOf(sampleCharts.bar);
    expect(xml).toContain('<c:f>&apos;'.replaceAll('&apos;', "'"));
    expect(xml).toContain("<c:f>'Sheet1'!$B$2:$B$7</c:f>");
    expect(xml).toContain('<c:pt idx="0"><c:v>Revenue</c:v></c:pt>');
    expect(xml).toContain('<c:pt idx="3"><c:v>-20</c:v></c:pt>');
    const first = xml.slice(xml.indexOf('<c:val>'), xml.indexOf('</c:val>'));
    expect(first).toContain('<c:ptCount val="6"/>');
    expect(first).not.toContain('idx="2"');
  });

  test('escapes text of the spec', () => {
    expect(xmlOf(sampleCharts.bar)).toContain('Revenue &amp; cost &lt;by month&gt;');
  });

  test('draws the line of a combo on a second axis that crosses on the right', () => {
    const xml = xmlOf(sampleCharts.combo);
    expect(xml.match(/<c:valAx>/g)).toHaveLength(2);
    expect(xml).toContain('<c:crosses val="max"/>');
    const line = xml.slice(xml.indexOf('<c:lineChart>'), xml.indexOf('</c:lineChart>'));
    expect(line).toContain('<c:v>Margin</c:v>');
    expect(line).not.toContain('<c:v>Revenue</c:v>');
  });

  test('keeps the lines of a combo without bars on the first axis', () => {
    const chart: Chart = {
      ...sampleCharts.combo,
      datasets: sampleCharts.combo.datasets.map((dataset) => ({ ...dataset, type: 'line' })),
    };
    expect(xmlOf(chart).match(/<c:valAx>/g)).toHaveLength(1);
  });

  test('gives a dataset its own colour', () => {
    const chart: Chart = { ...sampleCharts.line, datasets: [{ label: 'a', data: [1], color: 'ABCDEF' }] };
    expect(xmlOf(chart)).toContain('<a:srgbClr val="ABCDEF">');
  });

  test('hides the legend of a single series and shows it when asked', () => {
    expect(xmlOf(sampleCharts.line)).not.toContain('<c:legend>');
    expect(xmlOf({ ...sampleCharts.line, options: { legend: true } })).toContain('<c:legend>');
    expect(xmlOf({ ...sampleCharts.bar, options: { legend: false } })).not.toContain('<c:legend>');
  });

  test('writes values beside the points when asked, and never when told not to', () => {
    const many: Chart = {
      type: 'bar',
      labels: Array.from({ length: 100 }, (_, index) => `L${index}`),
      datasets: [{ label: 'a', data: Array.from({ length: 100 }, (_, index) => index) }],
      options: {},
    };
    expect(xmlOf(many)).not.toContain('<c:dLbls>');
    expect(xmlOf({ ...many, options: { dataLabels: true } })).toContain('<c:showVal val="1"/>');
    expect(xmlOf({ ...sampleCharts.line, options: { dataLabels: false } })).not.toContain('<c:dLbls>');
  });
});
