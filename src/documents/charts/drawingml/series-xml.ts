import type { Palette } from '../../palettes.ts';
import { sliceColor } from '../series-colors.ts';
import type { PlottedSeries } from './series.ts';
import { line, solidFill } from './shape-xml.ts';

const markedPointsMax = 31;

/** The parts of one `c:ser`, each already in its own element. */
export interface SeriesParts {
  readonly index: number;
  readonly name: string;
  readonly labels: string;
  readonly categories: string;
  readonly values: string;
}

/** Returns one `c:ser` in the child order of its kind of chart (ECMA-376 Part 1, 21.2.2.170 and following). */
export function seriesXml(series: PlottedSeries, parts: SeriesParts, palette: Palette): string {
  const head = `<c:ser><c:idx val="${parts.index}"/><c:order val="${parts.index}"/>${parts.name}`;
  const data = `${parts.labels}${parts.categories}${parts.values}`;
  const { color } = series;
  switch (series.draw) {
    case 'bar': {
      const fill = color === undefined ? '<a:noFill/>' : solidFill(color);
      return `${head}<c:spPr>${fill}${line(undefined)}</c:spPr><c:invertIfNegative val="0"/>${data}</c:ser>`;
    }
    case 'line': {
      const stroke = `<c:spPr>${line(color, 2.25)}</c:spPr>`;
      return `${head}${stroke}${markerXml(series)}${data}<c:smooth val="0"/></c:ser>`;
    }
    case 'area': {
      const fill = color === undefined ? '<a:noFill/>' : solidFill(color, 0.3);
      return `${head}<c:spPr>${fill}${line(color, 2)}</c:spPr>${data}</c:ser>`;
    }
    case 'pie':
      return `${head}${slicesXml(series, palette)}${data}</c:ser>`;
  }
}

function markerXml({ color, values }: PlottedSeries): string {
  if (color === undefined || values.length > markedPointsMax) {
    return '<c:marker><c:symbol val="none"/></c:marker>';
  }
  return (
    `<c:marker><c:symbol val="circle"/><c:size val="6"/><c:spPr>${solidFill(color)}${line('FFFFFF')}</c:spPr>` +
    '</c:marker>'
  );
}

function slicesXml(series: PlottedSeries, palette: Palette): string {
  let xml = '';
  for (let index = 0; index < series.values.length; index++) {
    xml +=
      `<c:dPt><c:idx val="${index}"/><c:bubble3D val="0"/><c:spPr>${solidFill(sliceColor(series, palette, index))}` +
      `${line('FFFFFF', 1.5)}</c:spPr></c:dPt>`;
  }
  return xml;
}
