import type { Chart, ChartDataset } from '../../domain/documents/common.ts';
import { formatValue } from '../../domain/documents/format-value.ts';
import { seriesColor } from '../charts/series-colors.ts';
import type { Palette } from '../palettes.ts';
import { isRightToLeft } from './direction.ts';
import { paragraphXml } from './paragraph.ts';
import { runsXml } from './run.ts';

/** What a box shows of a large chart; the rest is counted, not silently left out. */
const labelsShown = 24;
const datasetsShown = 12;
const nameCharsShown = 60;

/**
 * Writes the box that stands for a chart, which Word documents do not draw: type and title, the categories, the values
 * of each series under its colour, and a caption.
 */
export function chartBoxXml(chart: Chart, palette: Palette): string {
  const kind = `${chart.type.charAt(0).toUpperCase()}${chart.type.slice(1)} chart`;
  const title = short(chart.title ?? '');
  const lines = [lineXml('', kind, title)];
  if (chart.labels.length > 0) lines.push(lineXml('', 'Categories', listed(chart.labels, short)));
  for (const [index, dataset] of chart.datasets.slice(0, datasetsShown).entries()) {
    const color = dataset.color ?? seriesColor(palette, index);
    lines.push(lineXml(swatchXml(color), short(dataset.label), valuesOf(dataset, chart)));
  }
  const more = chart.datasets.length - datasetsShown;
  if (more > 0) lines.push(lineXml('', `${more} more series`, ''));
  const caption = `Chart data: ${counted(chart.datasets.length, 'series', 'series')}, ${counted(chart.labels.length, 'category', 'categories')}`;
  return `${lines.join('')}${paragraphXml(runsXml(caption, false), { style: 'Caption' })}`;
}

function lineXml(swatch: string, name: string, content: string): string {
  const rightToLeft = isRightToLeft(name === '' ? content : name);
  const label = runsXml(content === '' ? name : `${name}: `, rightToLeft, { style: 'SummaryValue' });
  const text = content === '' ? '' : runsXml(content, rightToLeft);
  return paragraphXml(`${swatch}${label}${text}`, { style: 'ChartBox', rightToLeft });
}

function swatchXml(color: string): string {
  return `<w:r><w:rPr><w:color w:val="${color}"/></w:rPr><w:t xml:space="preserve">■ </w:t></w:r>`;
}

function valuesOf(dataset: ChartDataset, chart: Chart): string {
  const format = chart.options.numberFormat;
  return listed(dataset.data, (value) => {
    if (value === null) return '–';
    return formatValue(value, format ?? (Number.isSafeInteger(value) ? { kind: 'integer' } : undefined));
  });
}

function listed<Item>(items: readonly Item[], show: (item: Item) => string): string {
  const shown = items.slice(0, labelsShown).map(show);
  const more = items.length - shown.length;
  return more > 0 ? `${shown.join('; ')}; … (${more} more)` : shown.join('; ');
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, 2 * nameCharsShown)];
  const isCut = characters.length > nameCharsShown || line.length > 2 * nameCharsShown;
  return isCut ? `${characters.slice(0, nameCharsShown - 1).join('')}…` : line;
}
