import type { Chart } from '../../../domain/documents/common.ts';
import { columnName, columnRange } from '../../ooxml/cell-reference.ts';
import { escapeXml, xmlDeclaration } from '../../ooxml/xml.ts';
import { writeZip } from '../../ooxml/zip.ts';
import { type ChartPartOptions, type ChartRanges, chartPartXml } from './chart-part.ts';
import { plottedSeries } from './plotted-series.ts';
import type { PlottedSeries } from './series.ts';

export const embeddedWorkbookContentType =
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const embeddedWorkbookRelationshipType =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/package';

const sheetName = 'Sheet1';
const sheetTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const documentRelationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/**
 * Returns a chart part and the bytes of the workbook that holds its data, for a chart outside a workbook.
 *
 * The caller stores both, relates the workbook from the chart part with `embeddedWorkbookRelationshipType` under
 * `externalWorkbookRelId`, and declares the part name's extension `xlsx` as `embeddedWorkbookContentType`.
 * The same chart gives the same bytes.
 */
export function embeddedChart(
  chart: Chart,
  options: Omit<ChartPartOptions, 'ranges' | 'series' | 'categoryNumbers'> & {
    readonly externalWorkbookRelId: string;
  },
): { readonly xml: string; readonly workbook: Uint8Array } {
  const series = plottedSeries(chart, options.palette);
  const xml = chartPartXml(chart, { ...options, series, ranges: embeddedRanges(chart, series) });
  return { xml, workbook: embeddedWorkbook(chart.labels, series) };
}

/** Labels from A2 down, a series to a column, its name in row 1. */
function embeddedRanges(chart: Chart, series: readonly PlottedSeries[]): ChartRanges {
  const lastRow = Math.max(2, chart.labels.length + 1);
  return {
    categories: columnRange(sheetName, 0, 2, lastRow),
    series: series.map((_, index) => ({
      name: columnRange(sheetName, index + 1, 1, 1),
      values: columnRange(sheetName, index + 1, 2, lastRow),
    })),
  };
}

function embeddedWorkbook(labels: readonly string[], series: readonly PlottedSeries[]): Uint8Array {
  const header = row(1, ['', ...series.map(({ label }) => label)]);
  const body = labels.map((label, index) =>
    row(index + 2, [label, ...series.map(({ values }) => values[index] ?? null)]),
  );
  return writeZip([
    [
      '[Content_Types].xml',
      `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${sheetTypes}.sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetTypes}.worksheet+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${sheetTypes}.styles+xml"/></Types>`,
    ],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `${xmlDeclaration}<workbook xmlns="${mainNamespace}" xmlns:r="${documentRelationships}">` +
        `<sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
      ]),
    ],
    [
      'xl/worksheets/sheet1.xml',
      `${xmlDeclaration}<worksheet xmlns="${mainNamespace}"><cols><col min="1" max="${series.length + 1}" ` +
        `width="16" customWidth="1"/></cols><sheetData>${header}${body.join('')}</sheetData></worksheet>`,
    ],
    [
      'xl/styles.xml',
      `${xmlDeclaration}<styleSheet xmlns="${mainNamespace}">` +
        '<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
        '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
        '<fill><patternFill patternType="gray125"/></fill></fills>' +
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
        '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    ],
  ]);
}

function row(number: number, values: readonly (string | number | null)[]): string {
  const cells = values.map((value, index) => {
    if (value === null || value === '') return '';
    const reference = `${columnName(index)}${number}`;
    return typeof value === 'number'
      ? `<c r="${reference}"><v>${value}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join('')}</row>`;
}

function relationships(targets: readonly (readonly [string, string])[]): string {
  const items = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${documentRelationships}/${type}" Target="${target}"/>`,
  );
  return `${xmlDeclaration}<Relationships xmlns="${packageRelationships}">${items.join('')}</Relationships>`;
}
