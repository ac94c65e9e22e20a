import type { Align } from '../../domain/documents/common.ts';
import type { DeckCell } from '../../domain/documents/deck-spec.ts';
import { escapeXml } from '../ooxml/xml.ts';
import { type Ink, solidFill, textInk } from './color.ts';
import { transformXml } from './frame.ts';
import { toEmu, toFontSize } from './measures.ts';
import type { SlideContext } from './slide-context.ts';
import type { TablePage } from './table-pages.ts';
import { verticalPadding } from './table-rows.ts';
import { headerFill, headerInk, tableStyleId } from './table-style.ts';
import { isRightToLeft } from './text-body.ts';
import { splitParagraphs } from './text-lines.ts';

/** One page of a table as a `p:graphicFrame` with an `a:tbl` (ECMA-376 Part 1, 21.1.3.13). */
export function tablePageXml(page: TablePage, ctx: SlideContext): string {
  const { layout } = page;
  const { table } = layout;
  const id = ctx.nextId();
  const rows: string[] = [];
  rows.push(headerRow(page, ctx));
  for (let index = page.firstRow; index < page.endRow; index++) {
    rows.push(bodyRow(page, index, ctx));
  }
  const grid = layout.columnWidths.map((width) => `<a:gridCol w="${toEmu(width)}"/>`).join('');
  const firstRow = table.columns === undefined ? '' : ' firstRow="1"';
  return (
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/>` +
    '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>' +
    transformXml(page.box, { element: 'p:xfrm' }) +
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">' +
    `<a:tbl><a:tblPr${layout.rightToLeft ? ' rtl="1"' : ''}${firstRow} bandRow="1"><a:tableStyleId>${tableStyleId}</a:tableStyleId></a:tblPr>` +
    `<a:tblGrid>${grid}</a:tblGrid>${rows.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  );
}

function headerRow({ layout, stretch }: TablePage, ctx: SlideContext): string {
  const { header, columns = [] } = layout.table;
  const size = layout.header;
  if (size === undefined) return '';
  const fill = header.fill;
  const ink: Ink = header.color ?? (fill === undefined ? headerInk : textInk(fill, ctx.palette));
  const cells = columns.map((column, index) =>
    cellXml(column.header, {
      align: layout.aligns[index] ?? 'left',
      fontSize: size.fontSize,
      padding: layout.padding,
      bold: header.bold,
      ink,
      fill: fill ?? headerFill,
      language: ctx.language,
    }),
  );
  return rowXml(size.height * stretch, cells);
}

function bodyRow({ layout, stretch }: TablePage, index: number, ctx: SlideContext): string {
  const cells: readonly DeckCell[] = layout.table.rows[index] ?? [];
  const size = layout.rows[index];
  if (size === undefined) return '';
  return rowXml(
    size.height * stretch,
    layout.columnWidths.map((_, column) => {
      const cell = cells[column];
      const ink = cell?.color ?? (cell?.fill === undefined ? undefined : textInk(cell.fill, ctx.palette));
      return cellXml(layout.shown[index]?.[column] ?? '', {
        align: cell?.align ?? layout.aligns[column] ?? 'left',
        fontSize: size.fontSize,
        padding: layout.padding,
        bold: cell?.bold,
        ink,
        fill: cell?.fill,
        language: ctx.language,
      });
    }),
  );
}

function rowXml(height: number, cells: readonly string[]): string {
  return `<a:tr h="${toEmu(height)}">${cells.join('')}</a:tr>`;
}

interface CellStyle {
  readonly align: Align;
  readonly fontSize: number;
  readonly padding: number;
  /** What the table style says where undefined. */
  readonly bold: boolean | undefined;
  readonly ink: Ink | undefined;
  readonly fill: Ink | undefined;
  readonly language: string;
}

const alignments = { left: 'l', center: 'ctr', right: 'r' } as const;
const marginV = toEmu(verticalPadding);

function cellXml(text: string, style: CellStyle): string {
  const bold = style.bold === undefined ? '' : ` b="${style.bold ? 1 : 0}"`;
  const attributes = ` lang="${escapeXml(style.language)}" sz="${toFontSize(style.fontSize)}"${bold} dirty="0"`;
  const ink = style.ink === undefined ? '' : solidFill(style.ink);
  const align = alignments[style.align];
  const paragraphs = splitParagraphs(text).map((line) => {
    const rtl = isRightToLeft(line) ? ' rtl="1"' : '';
    const run =
      line === ''
        ? `<a:endParaRPr${attributes}/>`
        : `<a:r><a:rPr${attributes}>${ink}</a:rPr><a:t>${escapeXml(line)}</a:t></a:r>`;
    return `<a:p><a:pPr algn="${align}"${rtl}/>${run}</a:p>`;
  });
  const fill = style.fill === undefined ? '' : solidFill(style.fill);
  const marginH = toEmu(style.padding);
  return (
    `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>${paragraphs.join('')}</a:txBody>` +
    `<a:tcPr marL="${marginH}" marR="${marginH}" marT="${marginV}" marB="${marginV}" anchor="ctr">${fill}</a:tcPr></a:tc>`
  );
}
