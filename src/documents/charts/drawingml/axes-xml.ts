import { escapeXml } from '../../ooxml/xml.ts';
import type { Palette } from '../../palettes.ts';
import { type ChartText, line, textProperties, titleXml } from './shape-xml.ts';

export interface CategoryAxis {
  readonly id: number;
  readonly crosses: number;
  readonly hidden: boolean;
  readonly title: string | undefined;
  /** Present for numbers and dates. */
  readonly formatCode: string | undefined;
}

export interface ValueAxis {
  readonly id: number;
  readonly crosses: number;
  readonly side: 'left' | 'right';
  readonly title: string | undefined;
  readonly formatCode: string;
  /** Whether columns stand between the ticks (they do), or lines and areas start on the axis. */
  readonly between: boolean;
}

/** Returns `c:catAx`: labels stay at the foot of the chart when values are negative. */
export function categoryAxisXml(axis: CategoryAxis, palette: Palette, text: ChartText): string {
  const format =
    axis.formatCode === undefined
      ? '<c:numFmt formatCode="General" sourceLinked="1"/>'
      : `<c:numFmt formatCode="${escapeXml(axis.formatCode)}" sourceLinked="0"/>`;
  return (
    `<c:catAx><c:axId val="${axis.id}"/><c:scaling><c:orientation val="minMax"/></c:scaling>` +
    `<c:delete val="${axis.hidden ? 1 : 0}"/><c:axPos val="b"/>${axisTitle(axis.title, palette, text)}` +
    `${format}<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>` +
    `<c:spPr><a:noFill/>${line(palette.muted)}</c:spPr>${textProperties({ ...text, color: palette.muted })}` +
    `<c:crossAx val="${axis.crosses}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/>` +
    '<c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>'
  );
}

/** Returns `c:valAx`; the axis on the left carries the grid. */
export function valueAxisXml(axis: ValueAxis, palette: Palette, text: ChartText): string {
  const left = axis.side === 'left';
  const grid = left
    ? `<c:majorGridlines><c:spPr>${line(palette.border, 0.5)}</c:spPr></c:majorGridlines>`
    : '';
  return (
    `<c:valAx><c:axId val="${axis.id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${left ? 'l' : 'r'}"/>${grid}${axisTitle(axis.title, palette, text, -90)}` +
    `<c:numFmt formatCode="${escapeXml(axis.formatCode)}" sourceLinked="0"/><c:majorTickMark val="none"/>` +
    `<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:spPr><a:noFill/>${line(undefined)}</c:spPr>` +
    `${textProperties({ ...text, color: palette.muted })}<c:crossAx val="${axis.crosses}"/>` +
    `<c:crosses val="${left ? 'autoZero' : 'max'}"/><c:crossBetween val="${axis.between ? 'between' : 'midCat'}"/></c:valAx>`
  );
}

function axisTitle(title: string | undefined, palette: Palette, text: ChartText, rotation?: number): string {
  if (title === undefined || title === '') return '';
  return titleXml(title, { ...text, bold: true, color: palette.muted }, rotation);
}
