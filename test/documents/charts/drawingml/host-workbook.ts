import {
  chartContentType,
  chartRelationshipType,
} from '../../../../src/documents/charts/drawingml/chart-part.ts';
import {
  embeddedChart,
  embeddedWorkbookContentType,
  embeddedWorkbookRelationshipType,
} from '../../../../src/documents/charts/drawingml/embedded-workbook.ts';
import { xmlDeclaration } from '../../../../src/documents/ooxml/xml.ts';
import { readZip, writeZip } from '../../../../src/documents/ooxml/zip.ts';
import { palettes } from '../../../../src/documents/palettes.ts';
import type { Chart } from '../../../../src/domain/documents/common.ts';

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Returns a workbook that shows an embedded chart on top of its own data, so that office programs can judge both. */
export function hostWorkbook(chart: Chart, palette = palettes.corporate): Uint8Array {
  const { xml, workbook } = embeddedChart(chart, { palette, externalWorkbookRelId: 'rId1' });
  const parts = new Map<string, string | Uint8Array>(readZip(workbook));
  const edit = (name: string, from: string, to: string) => {
    const before = Buffer.from(parts.get(name) as Uint8Array).toString('utf8');
    if (!before.includes(from)) throw new Error(`${name} lacks ${from}`);
    parts.set(name, before.replace(from, to));
  };
  edit(
    '[Content_Types].xml',
    '</Types>',
    `<Default Extension="xlsx" ContentType="${embeddedWorkbookContentType}"/>` +
      `<Override PartName="/xl/charts/chart1.xml" ContentType="${chartContentType}"/>` +
      '<Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/></Types>',
  );
  edit(
    'xl/worksheets/sheet1.xml',
    '</worksheet>',
    `<drawing xmlns:r="${relationships}" r:id="rId1"/></worksheet>`,
  );
  parts.set(
    'xl/worksheets/_rels/sheet1.xml.rels',
    related(`${relationships}/drawing`, '../drawings/drawing1.xml'),
  );
  parts.set('xl/drawings/_rels/drawing1.xml.rels', related(chartRelationshipType, '../charts/chart1.xml'));
  parts.set(
    'xl/charts/_rels/chart1.xml.rels',
    related(embeddedWorkbookRelationshipType, '../embeddings/data.xlsx'),
  );
  parts.set('xl/embeddings/data.xlsx', workbook);
  parts.set('xl/charts/chart1.xml', xml);
  parts.set(
    'xl/drawings/drawing1.xml',
    `${xmlDeclaration}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ` +
      'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:absoluteAnchor><xdr:pos x="100000" y="1800000"/>' +
      '<xdr:ext cx="5760000" cy="3400000"/><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>' +
      '<xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/>' +
      '<a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>' +
      '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart ' +
      `xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="${relationships}" r:id="rId1"/>` +
      '</a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:absoluteAnchor></xdr:wsDr>',
  );
  return writeZip(parts);
}

function related(type: string, target: string): string {
  return (
    `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
    `<Relationship Id="rId1" Type="${type}" Target="${target}"/></Relationships>`
  );
}
