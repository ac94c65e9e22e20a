import type { Chart } from '../../../domain/documents/common.ts';
import { readableOn } from '../../contrast.ts';
import { chartNumberFormatCode } from '../../ooxml/number-format.ts';
import { escapeXml } from '../../ooxml/xml.ts';
import type { Palette } from '../../palettes.ts';
import { sliceColor } from '../series-colors.ts';
import type { PlottedSeries } from './series.ts';
import { type ChartText, textProperties } from './shape-xml.ts';

const labelledPointsMax = 14;
const labelledSlicesMax = 60;
/** Of a pie's sum, or of a stacked chart's tallest column: less has no room for a label. */
const smallestLabelledShare = 0.04;

/**
 * Returns `c:dLbls` of a series, or nothing where its values are not labelled. Unless the spec decides, values are
 * written where they can be read: on few bars, on a single short line, in slices and segments with room for them.
 */
export function dataLabelsXml(
  chart: Chart,
  series: PlottedSeries,
  all: readonly PlottedSeries[],
  palette: Palette,
  text: ChartText,
): string {
  const wanted = chart.options.dataLabels;
  if (wanted === false || series.color === undefined) return '';
  if (series.draw === 'pie') return wanted || series.values.length <= labelledSlicesMax ? sliceLabels() : '';
  if (wanted !== true && !helps()) return '';

  const code = labelCode(chart, series);
  const inside = chart.type === 'stacked' || chart.type === 'waterfall';
  const style = { ...text, size: text.size - 1 };
  const color = inside ? readableOn(series.color, palette.text) : palette.text;
  const position = inside
    ? 'ctr'
    : series.draw === 'bar'
      ? 'outEnd'
      : series.draw === 'line'
        ? 't'
        : undefined;
  return (
    `<c:dLbls>${inside ? hiddenSegments() : ''}<c:numFmt formatCode="${escapeXml(code)}" sourceLinked="0"/>` +
    `<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>${textProperties({ ...style, color })}` +
    `${position === undefined ? '' : `<c:dLblPos val="${position}"/>`}${shown({ value: true })}</c:dLbls>`
  );

  function helps(): boolean {
    const points = series.values.length;
    if (chart.type === 'waterfall') return points <= labelledPointsMax;
    if (chart.type === 'stacked') return points <= labelledPointsMax && all.length <= 6;
    if (chart.type === 'bar') return points * all.length <= labelledPointsMax;
    return chart.type === 'line' && all.length === 1 && points <= labelledPointsMax;
  }

  /** Segments too thin for their label. */
  function hiddenSegments(): string {
    const heights = series.values.map((_, index) =>
      all.reduce((sum, { values }) => sum + Math.max(0, values[index] ?? 0), 0),
    );
    const depths = series.values.map((_, index) =>
      all.reduce((sum, { values }) => sum - Math.min(0, values[index] ?? 0), 0),
    );
    const span = largest(heights) + largest(depths);
    return series.values
      .map((value, index) =>
        value !== null && Math.abs(value) < span * smallestLabelledShare
          ? `<c:dLbl><c:idx val="${index}"/><c:delete val="1"/></c:dLbl>`
          : '',
      )
      .join('');
  }

  function sliceLabels(): string {
    const sum = series.values.reduce<number>((total, value) => total + Math.abs(value ?? 0), 0);
    const inRing = chart.type === 'doughnut';
    const points = series.values.map((value, index) => {
      if (value === null) return '';
      if (Math.abs(value) < sum * smallestLabelledShare) {
        return `<c:dLbl><c:idx val="${index}"/><c:delete val="1"/></c:dLbl>`;
      }
      const color = readableOn(sliceColor(series, palette, index), palette.text);
      return (
        `<c:dLbl><c:idx val="${index}"/><c:numFmt formatCode="0%" sourceLinked="0"/><c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>` +
        `${textProperties({ ...text, bold: true, color })}${inRing ? '' : '<c:dLblPos val="ctr"/>'}` +
        `${shown({ percent: true })}</c:dLbl>`
      );
    });
    return (
      `<c:dLbls>${points.join('')}<c:numFmt formatCode="0%" sourceLinked="0"/>` +
      `<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>${textProperties({ ...text, bold: true })}` +
      `${inRing ? '' : '<c:dLblPos val="ctr"/>'}${shown({ percent: true })}<c:showLeaderLines val="0"/></c:dLbls>`
    );
  }
}

function shown(what: { value?: boolean; percent?: boolean }): string {
  return (
    `<c:showLegendKey val="0"/><c:showVal val="${what.value ? 1 : 0}"/><c:showCatName val="0"/>` +
    `<c:showSerName val="0"/><c:showPercent val="${what.percent ? 1 : 0}"/><c:showBubbleSize val="0"/>`
  );
}

function labelCode(chart: Chart, series: PlottedSeries): string {
  const code = chartNumberFormatCode(series.format ?? chart.options.numberFormat, series.values, 'label');
  if (series.sign === undefined) return code;
  const section = code.split(';')[0] === 'General' ? '0.##' : (code.split(';')[0] as string);
  // The third section is empty: a step without this part has no label.
  return `\\${series.sign}${section};\\${series.sign}${section};`;
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}
