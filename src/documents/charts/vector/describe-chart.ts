import type { Chart, ChartType } from '../../../domain/documents/common.ts';
import { formatValue } from '../../../domain/documents/format-value.ts';

const names: Readonly<Record<ChartType, string>> = {
  bar: 'Bar chart',
  line: 'Line chart',
  pie: 'Pie chart',
  doughnut: 'Doughnut chart',
  area: 'Area chart',
  stacked: 'Stacked bar chart',
  combo: 'Combined bar and line chart',
  waterfall: 'Waterfall chart',
};

const valuesMax = 24;
const datasetsMax = 8;

/** Says in words what a chart shows: its type, title and values, as far as a listener would follow them. */
export function describeChart(chart: Chart): string {
  const title = chart.title === undefined ? '' : `: ${chart.title}`;
  const isPie = chart.type === 'pie' || chart.type === 'doughnut' || chart.type === 'waterfall';
  const datasets = isPie ? chart.datasets.slice(0, 1) : chart.datasets;
  const parts = datasets.slice(0, datasetsMax).map(({ label, data }) => {
    const values = chart.labels.slice(0, valuesMax).map((category, index) => {
      const value = data[index] ?? null;
      const shown = value === null ? 'no value' : formatValue(value, chart.options.numberFormat);
      return `${shorten(category)} ${shown}`;
    });
    const more = chart.labels.length > valuesMax ? `, and ${chart.labels.length - valuesMax} more` : '';
    return `${shorten(label)}: ${values.join(', ')}${more}`;
  });
  const more = datasets.length > datasetsMax ? ` And ${datasets.length - datasetsMax} more series.` : '';
  const data = parts.length === 0 || chart.labels.length === 0 ? 'No data' : parts.join('; ');
  return `${names[chart.type]}${shorten(title)}. ${data}.${more}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${Array.from(line).slice(0, 79).join('')}…` : line;
}
