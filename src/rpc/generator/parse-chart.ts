import {
  type Chart,
  type ChartDataset,
  type ChartOptions,
  ChartTypeSchema,
  LegendPositionSchema,
} from '../../../gen/service/generator/v1/common_pb.ts';
import {
  type ChartDataset as ChartDatasetSpec,
  type ChartOptions as ChartOptionsSpec,
  type Chart as ChartSpec,
  chartTypes,
} from '../../domain/documents/common.ts';
import { limits } from '../../domain/limits.ts';
import { parseColumnFormat } from './parse-column-format.ts';
import { present } from './parse-common.ts';
import { pathOf, type SpecReader } from './spec-reader.ts';

const datasetTypes = ['bar', 'line', 'area'] as const;
const legendPositions = ['top', 'right', 'bottom', 'left'] as const;

type ChartFields = Pick<Chart, 'type' | 'title' | 'labels' | 'datasets' | 'options'>;

/** Reads a chart. Without labels the points are numbered from 1. */
export function parseChart(reader: SpecReader, chart: ChartFields, pointer: string): ChartSpec {
  const { labels, datasets } = chart;
  if (labels.length > limits.chart.labels)
    reader.fail(`${pointer}/labels`, `a chart has at most ${limits.chart.labels} labels`);
  if (datasets.length > limits.chart.datasets) {
    reader.fail(`${pointer}/datasets`, `a chart has at most ${limits.chart.datasets} datasets`);
  }
  const points = Math.max(0, ...datasets.map(({ data }) => data.length));
  if (points > limits.chart.labels)
    reader.fail(`${pointer}/datasets`, `a dataset has at most ${limits.chart.labels} values`);
  const names =
    labels.length === 0
      ? Array.from({ length: points }, (_, index) => String(index + 1))
      : labels.map((label, index) => reader.text(label, `${pointer}/labels/${index}`));
  return present<ChartSpec>({
    type: reader.choice(ChartTypeSchema, chart.type, chartTypes, `${pointer}/type`) ?? 'bar',
    title: reader.optionalText(chart.title, `${pointer}/title`),
    labels: names,
    datasets: datasets.map((dataset, index) =>
      parseDataset(reader, dataset, names.length, `${pointer}/datasets/${index}`),
    ),
    options: parseOptions(reader, chart.options, names.length, `${pointer}/options`),
  });
}

function parseDataset(
  reader: SpecReader,
  dataset: ChartDataset,
  labels: number,
  pointer: string,
): ChartDatasetSpec {
  const { data } = dataset;
  if (data.length > labels) {
    reader.fail(
      `${pointer}/data`,
      `${pathOf(`${pointer}/data`)} has ${data.length} values for ${labels} labels`,
    );
  }
  return present<ChartDatasetSpec>({
    label: reader.text(dataset.label, `${pointer}/label`),
    data: data.map(({ value }, index) =>
      value === undefined ? null : reader.finite(value, `${pointer}/data/${index}`),
    ),
    color: reader.optionalColor(dataset.color, `${pointer}/color`),
    type: reader.choice(ChartTypeSchema, dataset.type, datasetTypes, `${pointer}/type`),
  });
}

function parseOptions(
  reader: SpecReader,
  options: ChartOptions | undefined,
  labels: number,
  pointer: string,
): ChartOptionsSpec {
  if (options === undefined) return {};
  const { totals } = options;
  if (totals.some((index) => index >= labels))
    reader.fail(`${pointer}/totals`, `${pathOf(`${pointer}/totals`)} must be indices of labels`);
  return present<ChartOptionsSpec>({
    legend: options.legend,
    legendPosition: reader.choice(
      LegendPositionSchema,
      options.legendPosition,
      legendPositions,
      `${pointer}/legendPosition`,
    ),
    dataLabels: options.dataLabels,
    xAxisTitle: reader.optionalText(options.xAxisTitle, `${pointer}/xAxisTitle`),
    yAxisTitle: reader.optionalText(options.yAxisTitle, `${pointer}/yAxisTitle`),
    secondaryAxisTitle: reader.optionalText(options.secondaryAxisTitle, `${pointer}/secondaryAxisTitle`),
    numberFormat: parseColumnFormat(reader, options.numberFormat, `${pointer}/numberFormat`),
    totals: totals.length === 0 ? undefined : totals,
  });
}
