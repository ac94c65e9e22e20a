import type { Chart, ChartType } from '../../../../src/domain/documents/common.ts';

const labels = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];

/** One chart of each type, with gaps and negative values where they can occur. */
export const sampleCharts: Readonly<Record<ChartType, Chart>> = {
  bar: {
    type: 'bar',
    title: 'Revenue & cost <by month>',
    labels,
    datasets: [
      { label: 'Revenue', data: [120, 135, null, 160, 152, 171] },
      { label: 'Cost', data: [90, 88, 97, -20, 101, 110] },
    ],
    options: { xAxisTitle: 'Month', yAxisTitle: 'Thousand euros' },
  },
  line: {
    type: 'line',
    title: 'Visitors',
    labels,
    datasets: [{ label: 'Visitors', data: [1520, 1780, null, 2210, 2050, 2490] }],
    options: {},
  },
  pie: {
    type: 'pie',
    title: 'Share of sales',
    labels: ['North', 'South', 'East', 'West', 'Online', 'Tiny'],
    datasets: [{ label: 'Sales', data: [42, 25, 18, 9, 5.5, 0.5] }],
    options: {},
  },
  doughnut: {
    type: 'doughnut',
    title: 'Budget',
    labels: ['Staff', 'Rent', 'Travel', 'Software'],
    datasets: [{ label: 'Budget', data: [540, 210, 90, 160] }],
    options: { legendPosition: 'bottom' },
  },
  area: {
    type: 'area',
    title: 'Load',
    labels,
    datasets: [
      { label: 'Peak', data: [0.62, 0.71, 0.68, 0.83, 0.9, 0.77] },
      { label: 'Mean', data: [0.31, 0.33, 0.36, 0.41, 0.44, 0.39] },
    ],
    options: { numberFormat: { kind: 'percent' } },
  },
  stacked: {
    type: 'stacked',
    title: 'Orders by channel',
    labels,
    datasets: [
      { label: 'Shop', data: [30, 34, 28, 40, 44, 39] },
      { label: 'Web', data: [55, 60, 72, 70, 81, 95] },
      { label: 'Partner', data: [12, 9, 15, 18, 2, 21] },
    ],
    options: {},
  },
  combo: {
    type: 'combo',
    title: 'Revenue and margin',
    labels,
    datasets: [
      { label: 'Revenue', data: [120_000, 135_500, 128_250, 160_000, 152_400, 171_900] },
      { label: 'Cost', data: [96_000, 101_000, 99_800, 113_000, 110_000, 119_000] },
      { label: 'Margin', data: [20, 25.5, 22.2, 29.4, 27.8, 30.8] },
    ],
    options: {
      numberFormat: { kind: 'currency', currency: 'EUR' },
      yAxisTitle: 'Amount',
      secondaryAxisTitle: 'Margin %',
    },
  },
  waterfall: {
    type: 'waterfall',
    title: 'From gross to net',
    labels: ['Gross', 'Returns', 'Costs', 'Fines', 'Refund', 'Net'],
    datasets: [{ label: 'Change', data: [120, -30, -75, -40, 85, null] }],
    options: { totals: [5] },
  },
};
