import { AlignSchema } from '../../../gen/service/generator/v1/common_pb.ts';
import {
  type ChartElement,
  ImageSizingSchema,
  LineDashSchema,
  type LineElement,
  type LineStyle,
  ShapeKindSchema,
  type SlideElement,
  type TextElement,
  VerticalAlignSchema,
} from '../../../gen/service/generator/v1/deck_pb.ts';
import {
  type Box,
  type LineStyle as LineStyleSpec,
  type SlideElement as SlideElementSpec,
  shapeNames,
  type TextStyle,
} from '../../domain/documents/deck-spec.ts';
import { limits } from '../../domain/limits.ts';
import { parseChart } from './parse-chart.ts';
import { present } from './parse-common.ts';
import { parseDeckTable } from './parse-deck-table.ts';
import { pathOf, type SpecReader } from './spec-reader.ts';

const margin = 0.5;
const inchesMax = 100;
/** Inches that an element is high when its spec does not say. */
const defaultHeight = { text: 1, shape: 1.5, image: 3, table: 3, chart: 4.5, line: 0 } as const;

/** Reads an element of a slide. What it does not say of its place is filled in up to the margins. */
export function parseSlideElement(
  reader: SpecReader,
  slideElement: SlideElement,
  pointer: string,
): SlideElementSpec {
  const { element } = slideElement;
  if (element.case === undefined) {
    return reader.fail(
      `${pointer}/type`,
      `${pathOf(`${pointer}/type`)} must be text, shape, image, table, chart or line`,
    );
  }
  if (element.case === 'line') return parseLine(reader, slideElement, element.value, pointer);
  const box = parseBox(reader, slideElement, defaultHeight[element.case], pointer);
  switch (element.case) {
    case 'text': {
      const { content, bullet } = element.value;
      return {
        type: 'text',
        content: reader.text(content, `${pointer}/content`),
        bullet,
        ...box,
        ...parseTextStyle(reader, element.value, pointer),
      };
    }
    case 'shape': {
      const { value } = element;
      return present<SlideElementSpec>({
        type: 'shape',
        shape: reader.choice(ShapeKindSchema, value.shape, shapeNames, `${pointer}/shape`) ?? 'rect',
        fill: reader.optionalColor(value.fill, `${pointer}/fill`),
        line: value.line && parseLineStyle(reader, value.line, `${pointer}/line`),
        text: reader.optionalText(value.text, `${pointer}/text`),
        ...box,
        ...parseTextStyle(reader, value, pointer),
      });
    }
    case 'image': {
      const { src, alt, sizing } = element.value;
      return {
        type: 'image',
        image: reader.image(src, alt, `${pointer}/src`),
        sizing:
          reader.choice(ImageSizingSchema, sizing, ['contain', 'cover'], `${pointer}/sizing`) ?? 'contain',
        ...box,
      };
    }
    case 'table':
      return { type: 'table', table: parseDeckTable(reader, element.value, pointer), ...box };
    case 'chart':
      return { type: 'chart', chart: parseElementChart(reader, element.value, pointer), ...box };
  }
}

function parseElementChart(reader: SpecReader, element: ChartElement, pointer: string) {
  if (element.chart !== undefined) return parseChart(reader, element.chart, `${pointer}/chart`);
  const { chartType, title, labels, datasets, options } = element;
  return parseChart(reader, { type: chartType, title, labels, datasets, options }, pointer);
}

function parseBox(reader: SpecReader, { x, y, w, h }: SlideElement, height: number, pointer: string): Box {
  const left = inches(reader, x ?? margin, `${pointer}/x`);
  const top = inches(reader, y ?? margin, `${pointer}/y`);
  return {
    x: left,
    y: top,
    w: size(reader, w ?? Math.max(1, limits.pptx.widthInches - margin - left), `${pointer}/w`),
    h: size(reader, h ?? height, `${pointer}/h`),
  };
}

function inches(reader: SpecReader, value: number, pointer: string): number {
  return Number.isFinite(value) && Math.abs(value) <= inchesMax
    ? value
    : reader.fail(pointer, `${pathOf(pointer)} must be within ${inchesMax} inches`);
}

function size(reader: SpecReader, value: number, pointer: string): number {
  return value >= 0
    ? inches(reader, value, pointer)
    : reader.fail(pointer, `${pathOf(pointer)} must not be negative`);
}

function parseTextStyle(
  reader: SpecReader,
  style: Pick<
    TextElement,
    'fontSize' | 'bold' | 'italic' | 'underline' | 'color' | 'align' | 'valign' | 'fontFace'
  >,
  pointer: string,
): TextStyle {
  const { fontSize, bold, italic, underline } = style;
  return present<TextStyle>({
    fontSize,
    bold,
    italic,
    underline,
    color: reader.optionalColor(style.color, `${pointer}/color`),
    align: reader.choice(
      AlignSchema,
      style.align,
      ['left', 'center', 'right', 'justify'],
      `${pointer}/align`,
    ),
    valign: reader.choice(
      VerticalAlignSchema,
      style.valign,
      ['top', 'middle', 'bottom'],
      `${pointer}/valign`,
    ),
    fontFace: reader.optionalText(style.fontFace.slice(0, 100), `${pointer}/fontFace`),
  });
}

function parseLineStyle(
  reader: SpecReader,
  { color, width, dash }: Pick<LineStyle, 'color' | 'width' | 'dash'>,
  pointer: string,
): LineStyleSpec {
  return present<LineStyleSpec>({
    color: reader.optionalColor(color, `${pointer}/color`),
    width,
    dash: reader.choice(LineDashSchema, dash, ['solid', 'dash', 'dot'], `${pointer}/dash`),
  });
}

function parseLine(
  reader: SpecReader,
  { x, y, w, h }: SlideElement,
  line: LineElement,
  pointer: string,
): SlideElementSpec {
  const x1 = line.x1 ?? x ?? margin;
  const y1 = line.y1 ?? y ?? margin;
  return {
    type: 'line',
    x1: inches(reader, x1, `${pointer}/x1`),
    y1: inches(reader, y1, `${pointer}/y1`),
    x2: inches(reader, line.x2 ?? x1 + (w ?? 0), `${pointer}/x2`),
    y2: inches(reader, line.y2 ?? y1 + (h ?? 0), `${pointer}/y2`),
    beginArrow: line.beginArrow,
    endArrow: line.endArrow,
    ...parseLineStyle(reader, line, pointer),
  };
}
