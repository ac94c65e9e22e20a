import type { Chart } from '../../../domain/documents/common.ts';
import { chartNumberFormatCode } from '../../ooxml/number-format.ts';
import { escapeXml, xmlDeclaration } from '../../ooxml/xml.ts';
import type { Palette } from '../../palettes.ts';
import { categoryAxisXml, valueAxisXml } from './axes-xml.ts';
import { type CategoryNumbers, categoriesXml, seriesNameXml, valuesXml } from './data-xml.ts';
import { dataLabelsXml } from './labels-xml.ts';
import { plottedSeries } from './plotted-series.ts';
import type { PlottedSeries } from './series.ts';
import { seriesXml } from './series-xml.ts';
import { type ChartText, solidFill, textProperties, titleXml } from './shape-xml.ts';

/** Where a chart's data stand: absolute references such as `'Data'!$B$2:$B$9`. */
export interface ChartRanges {
  readonly categories: string;
  /** One for each of `plottedSeries(chart, palette)`, in its order. */
  readonly series: readonly { readonly name: string; readonly values: string }[];
}

export interface ChartPartOptions {
  readonly palette: Palette;
  readonly ranges: ChartRanges;
  /** Replaces `plottedSeries(chart, palette)`. */
  readonly series?: readonly PlottedSeries[];
  /** The first column holds numbers or dates: they are kept as such. */
  readonly categoryNumbers?: CategoryNumbers;
  /** Absent: the theme's body font. */
  readonly fontFace?: string;
  /** Points, of axis labels and legend; 10 by default. The title is 4 points larger. */
  readonly fontSize?: number;
  /** Relationship id of the embedded workbook (`c:externalData`), for a chart outside a workbook. */
  readonly externalWorkbookRelId?: string;
}

const axisIds = { category: 111_111_111, value: 222_222_222, category2: 333_333_333, value2: 444_444_444 };

/**
 * Returns a whole chart part (`c:chartSpace`, ECMA-376 Part 1, 21.2) for every chart type, schema-valid, with cached
 * names, categories and values and explicit colours, so that a viewer that reads no cells draws it as well.
 *
 * The caller stores it, declares the content type `chartContentType`, and relates it from a graphic frame with
 * `chartRelationshipType`. In a workbook `ranges` name cells of its sheets; elsewhere `embeddedChart` makes the part
 * together with the workbook that holds the data.
 */
export function chartPartXml(chart: Chart, options: ChartPartOptions): string {
  const { palette } = options;
  const text: ChartText = {
    color: palette.text,
    size: options.fontSize ?? 10,
    ...(options.fontFace === undefined ? {} : { face: options.fontFace }),
  };
  const series = options.series ?? plottedSeries(chart, palette);
  const title =
    chart.title === undefined || chart.title === ''
      ? '<c:autoTitleDeleted val="1"/>'
      : `${titleXml(chart.title, { ...text, size: text.size + 4, bold: true })}<c:autoTitleDeleted val="0"/>`;
  const external =
    options.externalWorkbookRelId === undefined
      ? ''
      : `<c:externalData r:id="${escapeXml(options.externalWorkbookRelId)}"><c:autoUpdate val="0"/></c:externalData>`;
  return (
    `${xmlDeclaration}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ` +
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
    '<c:date1904 val="0"/><c:roundedCorners val="0"/>' +
    `<c:chart>${title}<c:plotArea><c:layout/>${plotXml(chart, series, options, text)}` +
    `<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr></c:plotArea>${legendXml(chart, series, text)}` +
    '<c:plotVisOnly val="0"/><c:dispBlanksAs val="gap"/></c:chart>' +
    `<c:spPr>${solidFill('FFFFFF')}<a:ln><a:noFill/></a:ln></c:spPr>${textProperties(text)}${external}</c:chartSpace>`
  );
}

export const chartContentType = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml';
export const chartRelationshipType =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart';

function plotXml(
  chart: Chart,
  series: readonly PlottedSeries[],
  options: ChartPartOptions,
  text: ChartText,
): string {
  const { palette, ranges } = options;
  const categories = categoriesXml(ranges.categories, chart.labels, options.categoryNumbers);
  const drawn = series.map((one, index) => {
    const range = ranges.series[index];
    if (range === undefined) throw new Error(`chart: no range for series ${index} of ${series.length}`);
    return seriesXml(
      one,
      {
        index,
        name: seriesNameXml(range.name, one.label),
        labels: dataLabelsXml(chart, one, series, palette, text),
        categories,
        values: valuesXml(
          range.values,
          one.values,
          chartNumberFormatCode(one.format ?? chart.options.numberFormat, one.values, 'cache'),
        ),
      },
      palette,
    );
  });
  const body = (draw: PlottedSeries['draw'], axis: PlottedSeries['axis']) =>
    drawn.filter((_, index) => series[index]?.draw === draw && series[index]?.axis === axis).join('');

  if (chart.type === 'pie') {
    return `<c:pieChart><c:varyColors val="1"/>${body('pie', 'first')}<c:firstSliceAng val="0"/></c:pieChart>`;
  }
  if (chart.type === 'doughnut') {
    return (
      `<c:doughnutChart><c:varyColors val="1"/>${body('pie', 'first')}<c:firstSliceAng val="0"/>` +
      '<c:holeSize val="58"/></c:doughnutChart>'
    );
  }
  const second = series.some(({ axis }) => axis === 'second');
  const has = (draw: PlottedSeries['draw']) =>
    series.some((one) => one.draw === draw && one.axis === 'first');
  // The schema asks for at least one kind of chart even where there is no series to draw.
  const drawsBars = has('bar') || !(has('line') || has('area'));
  const onAxis = (axis: PlottedSeries['axis']) => series.filter((one) => one.axis === axis);
  return [
    has('area') ? areaXml(body('area', 'first')) : '',
    drawsBars
      ? barXml(chart, body('bar', 'first'), onAxis('first').filter(({ draw }) => draw === 'bar').length)
      : '',
    has('line') ? lineXml(body('line', 'first'), axisIds.category, axisIds.value) : '',
    second ? lineXml(body('line', 'second'), axisIds.category2, axisIds.value2) : '',
    categoryAxis(axisIds.category, axisIds.value, false),
    valueAxis(axisIds.value, axisIds.category, 'left', chart.options.yAxisTitle, onAxis('first')),
    second ? categoryAxis(axisIds.category2, axisIds.value2, true) : '',
    second
      ? valueAxis(
          axisIds.value2,
          axisIds.category2,
          'right',
          chart.options.secondaryAxisTitle,
          onAxis('second'),
        )
      : '',
  ].join('');

  function categoryAxis(id: number, crosses: number, hidden: boolean): string {
    const axisTitle = hidden ? undefined : chart.options.xAxisTitle;
    const formatCode = options.categoryNumbers?.formatCode;
    return categoryAxisXml({ id, crosses, hidden, title: axisTitle, formatCode }, palette, text);
  }

  function valueAxis(
    id: number,
    crosses: number,
    side: 'left' | 'right',
    axisTitle: string | undefined,
    shown: readonly PlottedSeries[],
  ): string {
    // The chart's own format speaks of the first axis.
    const format = shown[0]?.format ?? (side === 'left' ? chart.options.numberFormat : undefined);
    const formatCode = chartNumberFormatCode(
      format,
      shown.flatMap(({ values }) => values),
      'axis',
    );
    const between = series.some(({ draw }) => draw !== 'area');
    return valueAxisXml({ id, crosses, side, title: axisTitle, formatCode, between }, palette, text);
  }
}

function barXml(chart: Chart, series: string, count: number): string {
  const stacked = chart.type === 'stacked' || chart.type === 'waterfall';
  const gap = chart.type === 'waterfall' ? 40 : stacked || count === 1 ? 60 : 80;
  return (
    `<c:barChart><c:barDir val="col"/><c:grouping val="${stacked ? 'stacked' : 'clustered'}"/><c:varyColors val="0"/>` +
    `${series}<c:gapWidth val="${gap}"/><c:overlap val="${stacked ? 100 : -5}"/>` +
    `<c:axId val="${axisIds.category}"/><c:axId val="${axisIds.value}"/></c:barChart>`
  );
}

function lineXml(series: string, categoryId: number, valueId: number): string {
  return (
    `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}<c:marker val="1"/>` +
    `<c:axId val="${categoryId}"/><c:axId val="${valueId}"/></c:lineChart>`
  );
}

function areaXml(series: string): string {
  return (
    `<c:areaChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}` +
    `<c:axId val="${axisIds.category}"/><c:axId val="${axisIds.value}"/></c:areaChart>`
  );
}

const legendPositions = { top: 't', right: 'r', bottom: 'b', left: 'l' } as const;

/** A round chart, and one of many series, has its legend at the side, where the names have room. */
function legendXml(chart: Chart, series: readonly PlottedSeries[], text: ChartText): string {
  const round = chart.type === 'pie' || chart.type === 'doughnut';
  const named = series.filter(({ inLegend }) => inLegend).length;
  if (!(chart.options.legend ?? (round || named > 1))) return '';
  const position = chart.options.legendPosition ?? (round || named > 8 ? 'right' : 'bottom');
  const hidden = series
    .map(({ inLegend }, index) =>
      inLegend ? '' : `<c:legendEntry><c:idx val="${index}"/><c:delete val="1"/></c:legendEntry>`,
    )
    .join('');
  return (
    `<c:legend><c:legendPos val="${legendPositions[position]}"/>${hidden}<c:overlay val="0"/>` +
    `${textProperties(text)}</c:legend>`
  );
}
