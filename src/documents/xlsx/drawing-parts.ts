import { chartContentType, chartRelationshipType } from '../charts/drawingml/chart-part.ts';
import { escapeXml, xmlDeclaration } from '../ooxml/xml.ts';
import { type ChartSheet, chartSize } from './chart-sheet.ts';

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const drawingContentType = 'application/vnd.openxmlformats-officedocument.drawing+xml';

type TextParts = Map<string, string | Uint8Array>;

/** Adds the chart, its drawing and their relationships to the parts of a workbook. `sheetId` is the chart sheet's. */
export function addChartParts(parts: TextParts, chartSheet: ChartSheet, sheetId: number): void {
  const taken = [...parts.keys()].filter((name) => /^xl\/drawings\/drawing\d+\.xml$/.test(name)).length;
  const drawing = `drawing${taken + 1}`;
  edit(parts, '[Content_Types].xml', '</Types>', (end) =>
    [
      `<Override PartName="/xl/drawings/${drawing}.xml" ContentType="${drawingContentType}"/>`,
      `<Override PartName="/xl/charts/chart1.xml" ContentType="${chartContentType}"/>`,
      end,
    ].join(''),
  );
  // CT_Worksheet has the drawing right after the header and footer of such a sheet (ECMA-376 Part 1, 18.3.1.99).
  edit(
    parts,
    `xl/worksheets/sheet${sheetId}.xml`,
    '</headerFooter>',
    (end) => `${end}<drawing r:id="rId1"/>`,
  );
  parts.set(
    `xl/worksheets/_rels/sheet${sheetId}.xml.rels`,
    relationshipXml(`${relationships}/drawing`, `../drawings/${drawing}.xml`),
  );
  parts.set(`xl/drawings/${drawing}.xml`, drawingXml(chartSheet.altText));
  parts.set(
    `xl/drawings/_rels/${drawing}.xml.rels`,
    relationshipXml(chartRelationshipType, '../charts/chart1.xml'),
  );
  parts.set('xl/charts/chart1.xml', chartSheet.chartXml);
}

/** Gives the logo its alternative text, which exceljs cannot, and takes away an attribute that has no place there. */
export function describeLogo(parts: TextParts, alt: string): void {
  edit(parts, 'xl/drawings/drawing1.xml', ' editAs="oneCell"', () => '');
  edit(
    parts,
    'xl/drawings/drawing1.xml',
    ' name="Picture 1"',
    () => ` name="Logo" descr="${escapeXml(alt)}"`,
  );
}

/** Replaces the one place in a part where `at` stands. */
function edit(parts: TextParts, name: string, at: string, replacement: (found: string) => string): void {
  const xml = parts.get(name);
  if (typeof xml !== 'string' || !xml.includes(at)) throw new Error(`xlsx: ${name} lacks ${at}`);
  const index = xml.lastIndexOf(at);
  parts.set(name, xml.slice(0, index) + replacement(at) + xml.slice(index + at.length));
}

function relationshipXml(type: string, target: string): string {
  return (
    `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
    `<Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`
  );
}

function drawingXml(altText: string): string {
  return (
    `${xmlDeclaration}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ` +
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:oneCellAnchor><xdr:from><xdr:col>0</xdr:col>' +
    '<xdr:colOff>95250</xdr:colOff><xdr:row>0</xdr:row><xdr:rowOff>95250</xdr:rowOff></xdr:from>' +
    `<xdr:ext cx="${chartSize.width}" cy="${chartSize.height}"/><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>` +
    `<xdr:cNvPr id="2" name="Chart 1" descr="${escapeXml(altText)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>' +
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart ' +
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
    `xmlns:r="${relationships}" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/>` +
    '</xdr:oneCellAnchor></xdr:wsDr>'
  );
}
