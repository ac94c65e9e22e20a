import type { ImageAsset, Metric, SectionImage } from '../../domain/documents/common.ts';
import type { WordSection, WordSpec } from '../../domain/documents/word-spec.ts';
import type { Palette } from '../palettes.ts';
import type { Body } from './body.ts';
import { chartBoxXml } from './chart-box.ts';
import { isRightToLeft } from './direction.ts';
import type { Orientation } from './page.ts';
import { paragraphXml } from './paragraph.ts';
import { pictureRunXml, pictureSize } from './picture.ts';
import { markdownRunsXml, runsXml } from './run.ts';
import { writeTable } from './table.ts';
import type { TableLayout } from './table-layout.ts';

export interface SectionContext {
  readonly body: Body;
  readonly palette: Palette;
  readonly markdown: boolean;
  readonly images: ReadonlyMap<string, ImageAsset>;
  readonly bulletsId: number;
}

const lineBreak = /\r\n|[\n\r\u0085\u2028\u2029]/;
const metricSeparator = '\u2003•\u2003';

/** Writes title and subtitle, each only when it shows something. */
export function writeTitle(spec: WordSpec, body: Body): void {
  for (const [text, style] of [
    [spec.title, 'Title'],
    [spec.subtitle ?? '', 'Subtitle'],
  ] as const) {
    const line = oneLine(text);
    if (line !== '') body.push(styledXml(line, style));
  }
}

/** Whether a section writes anything. */
export function showsSomething(section: WordSection): boolean {
  const { heading = '', text = '', summary = [], bullets = [], numbered = [], table, chart, image } = section;
  return (
    heading.trim() !== '' ||
    text.trim() !== '' ||
    summary.length + bullets.length + numbered.length > 0 ||
    (table !== undefined && table.columns.length > 0) ||
    chart !== undefined ||
    image !== undefined
  );
}

/** Writes what a section carries, in the order of its fields. */
export function writeSection(
  section: WordSection,
  tableLayout: TableLayout | undefined,
  orientation: Orientation,
  ctx: SectionContext,
): void {
  const { body } = ctx;
  const heading = oneLine(section.heading ?? '');
  if (heading !== '') body.push(styledXml(heading, `Heading${section.level}`));
  if (section.text !== undefined) writeText(section.text, ctx);
  if (section.summary !== undefined && section.summary.length > 0) writeSummary(section.summary, body);
  if (section.bullets !== undefined) writeList(section.bullets, 'ListBullet', ctx.bulletsId, ctx);
  if (section.numbered !== undefined && section.numbered.length > 0) {
    writeList(section.numbered, 'ListNumber', body.newListId(), ctx);
  }
  if (section.table !== undefined && tableLayout !== undefined) {
    writeTable(section.table, tableLayout, ctx.palette, body.push);
    // Word joins tables that touch.
    body.push(paragraphXml('', { style: 'TableGap' }));
  }
  if (section.chart !== undefined) body.push(chartBoxXml(section.chart, ctx.palette));
  if (section.image !== undefined) writePicture(section.image, orientation, ctx);
}

function writeText(text: string, ctx: SectionContext): void {
  for (const line of text.split(lineBreak)) {
    if (line.trim() === '') continue;
    const rightToLeft = isRightToLeft(line);
    ctx.body.push(paragraphXml(inlineXml(line, rightToLeft, ctx), { rightToLeft }));
  }
}

function writeList(items: readonly string[], style: string, numberingId: number, ctx: SectionContext): void {
  for (const item of items) {
    const rightToLeft = isRightToLeft(item);
    ctx.body.push(paragraphXml(inlineXml(item, rightToLeft, ctx), { style, numberingId, rightToLeft }));
  }
}

function writeSummary(metrics: readonly Metric[], body: Body): void {
  const rightToLeft = isRightToLeft(metrics.map(({ label, value }) => `${label} ${value}`).join(' '));
  const runs = metrics.map(({ label, value }) => {
    const name = runsXml(`${label}: `, rightToLeft, { style: 'SummaryLabel' });
    return `${name}${runsXml(value, rightToLeft, { style: 'SummaryValue' })}`;
  });
  const separator = runsXml(metricSeparator, rightToLeft, { style: 'SummaryLabel' });
  body.push(paragraphXml(runs.join(separator), { style: 'Summary', rightToLeft }));
}

function writePicture(image: SectionImage, orientation: Orientation, ctx: SectionContext): void {
  const asset = ctx.images.get(image.asset);
  if (asset === undefined) throw new Error(`docx: no image ${image.asset}`);
  const { body } = ctx;
  const caption = oneLine(image.caption ?? '');
  const run = pictureRunXml({
    relationshipId: body.pictureId(asset),
    drawingId: body.newDrawingId(),
    ...pictureSize(asset, image.width, orientation),
    alt: image.alt,
  });
  body.push(paragraphXml(run, { style: 'Figure', keepNext: caption !== '' }));
  if (caption !== '') body.push(styledXml(caption, 'Caption'));
}

function styledXml(text: string, style: string): string {
  const rightToLeft = isRightToLeft(text);
  return paragraphXml(runsXml(text, rightToLeft), { style, rightToLeft });
}

function inlineXml(text: string, rightToLeft: boolean, ctx: SectionContext): string {
  return ctx.markdown ? markdownRunsXml(text, rightToLeft, ctx.body.linkId) : runsXml(text, rightToLeft);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
