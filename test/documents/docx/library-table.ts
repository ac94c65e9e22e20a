import {
  AlignmentType,
  Document,
  Packer,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { isRightToLeft } from '../../../src/documents/docx/direction.ts';
import type { TableLayout } from '../../../src/documents/docx/table-layout.ts';
import { readZip } from '../../../src/documents/ooxml/zip.ts';
import type { Palette } from '../../../src/documents/palettes.ts';
import type { Align, Table as SpecTable } from '../../../src/domain/documents/common.ts';
import { alignOf, formatValue } from '../../../src/domain/documents/format-value.ts';

const alignments = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
} as const;

/** Builds with the library's objects the table that our engine writes as strings. */
export function libraryTable(table: SpecTable, layout: TableLayout, palette: Palette): Table {
  const { size, widths } = layout;
  const width = (index: number) => ({ size: widths[index] as number, type: WidthType.DXA });
  const alignment = (index: number): { alignment?: (typeof alignments)[Align] } => {
    const align = alignOf(table, index);
    return align === 'left' && table.columns[index]?.align === undefined
      ? {}
      : { alignment: alignments[align] };
  };
  const children = (text: string) => {
    const rightToLeft = isRightToLeft(text);
    return text === '' ? [] : [new TextRun(rightToLeft ? { text, rightToLeft } : { text })];
  };
  const bidirectional = (text: string) => (isRightToLeft(text) ? { bidirectional: true } : {});
  const header = new TableRow({
    cantSplit: true,
    tableHeader: true,
    children: table.columns.map(
      (column, index) =>
        new TableCell({
          width: width(index),
          shading: { type: ShadingType.CLEAR, color: 'auto', fill: palette.primary },
          children: [
            new Paragraph({
              style: size.headerStyle,
              keepNext: true,
              ...bidirectional(column.header),
              ...alignment(index),
              children: children(column.header),
            }),
          ],
        }),
    ),
  });
  const rows = table.rows.map(
    (row) =>
      new TableRow({
        cantSplit: true,
        children: table.columns.map((column, index) => {
          const text = formatValue(row[index] ?? null, column.format);
          return new TableCell({
            width: width(index),
            children: [
              new Paragraph({
                style: size.textStyle,
                ...bidirectional(text),
                ...alignment(index),
                children: children(text),
              }),
            ],
          });
        }),
      }),
  );
  return new Table({
    style: 'ReportTable',
    layout: TableLayoutType.FIXED,
    width: { size: widths.reduce((sum, each) => sum + each, 0), type: WidthType.DXA },
    columnWidths: [...widths],
    margins: { left: size.cellMargin, right: size.cellMargin, marginUnitType: WidthType.DXA },
    tableLook: { firstRow: true, noVBand: true },
    ...(isRightToLeft(table.columns.map((column) => column.header).join(' '))
      ? { visuallyRightToLeft: true }
      : {}),
    rows: [header, ...rows],
  });
}

/** The table element of `document.xml` that the library writes. */
export async function libraryTableXml(
  table: SpecTable,
  layout: TableLayout,
  palette: Palette,
): Promise<string> {
  const bytes = await Packer.toBuffer(
    new Document({ sections: [{ children: [libraryTable(table, layout, palette)] }] }),
  );
  return /<w:tbl>.*<\/w:tbl>/s.exec(partOf(bytes, 'word/document.xml'))?.[0] ?? '';
}

export function partOf(archive: Uint8Array, name: string): string {
  return Buffer.from(readZip(archive).get(name) ?? new Uint8Array()).toString('utf8');
}
