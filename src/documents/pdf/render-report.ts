import type { ReportSection, ReportSpec } from '../../domain/documents/report-spec.ts';
import type { RenderedDocument, RenderInput } from '../../ports/renderer.ts';
import { cjkOrderOf, isRightToLeft } from '../fonts/script.ts';
import { createTypesetter, type Typesetter } from '../fonts/typesetter.ts';
import { palettes } from '../palettes.ts';
import { bulletBlocks } from './blocks/bullets-block.ts';
import { calloutBlock } from './blocks/callout-block.ts';
import { chartBlock } from './blocks/chart-block.ts';
import { drawHeaderBand } from './blocks/header-band.ts';
import { headingBlock } from './blocks/heading-block.ts';
import { imageBlock } from './blocks/image-block.ts';
import { summaryBlock } from './blocks/summary-block.ts';
import { tableBlock } from './blocks/table-block.ts';
import { wantedWidth } from './blocks/table-columns.ts';
import { textBlocks } from './blocks/text-block.ts';
import { createDocumentFonts } from './document-font.ts';
import { formEmbedder } from './embed-form.ts';
import { flattenImages } from './flatten-images.ts';
import { createFlow } from './flow.ts';
import { PageCanvas } from './page-canvas.ts';
import { drawFooters } from './page-footer.ts';
import { PdfDocument, type PdfPage } from './pdf-document.ts';
import type { Block, ReportContext } from './report-context.ts';
import { addElement, createStructureTree, type StructureElement } from './structure-tree.ts';
import { theme } from './theme.ts';

/**
 * Draws a report as a tagged PDF (1.7, PDF/UA-1) with embedded fonts. The same input gives the same bytes.
 *
 * Warnings name the code points that no font has, and texts that were cut.
 */
export async function renderReport(input: RenderInput<ReportSpec>): Promise<RenderedDocument> {
  const { spec } = input;
  const typesetter = createTypesetter(cjkOrderOf(spec.language, textSample(spec)));
  const document = new PdfDocument({
    title: spec.title,
    language: spec.language,
    createdAt: new Date(input.createdAtMs),
  });
  const structure = createStructureTree(document);
  const tools = { fontOf: createDocumentFonts(document), structure, embedForm: formEmbedder(document) };
  const [width, height] = pageSize(spec, typesetter);
  const addPage = (index: number): PageCanvas => {
    document.addPage({ size: [width, height], margin: 0 });
    return new PageCanvas(document.page as unknown as PdfPage, index, width, height, tools);
  };
  const palette = palettes[spec.palette];
  const flow = createFlow(addPage, palette);
  const context: ReportContext = {
    document,
    structure,
    typesetter,
    palette,
    flow,
    images: await flattenImages(input.images),
    markdown: spec.markdown,
    isRightToLeft: isRightToLeft(spec.language),
    warnings: new Set(),
  };

  drawHeaderBand(context, spec, structure.root);
  drawSections(context, spec.sections);
  drawFooters(context, flow.pages, spec.title);
  for (const page of flow.pages) page.flush();
  structure.write();
  const bytes = await document.finish();
  return { bytes, warnings: [...context.warnings, ...fontWarnings(typesetter)] };
}

/** Draws the blocks of all sections in order; a heading moves to the page on which what follows it begins. */
function drawSections(context: ReportContext, sections: readonly ReportSection[]): void {
  const { flow } = context;
  const blocks = placedBlocks(context, sections);
  // Blocks wait here until it is known what follows them; all of a long report at once would not fit in memory.
  const waiting: PlacedBlock[] = [];
  const take = (): boolean => {
    const next = blocks.next();
    if (next.done !== true) waiting.push(next.value);
    return next.done !== true;
  };
  let isFirst = true;
  while (waiting.length > 0 || take()) {
    while (waiting.at(-1)?.block.keepsWithNext === true && take());
    const placed = waiting.shift();
    if (placed === undefined) break;
    const { block, element } = placed;
    const gap = !isFirst && flow.y > flow.top ? block.gapBefore : 0;
    const head = block.headHeight();
    let together = head;
    if (block.keepsWithNext) {
      for (const { block: follower } of waiting) together += follower.gapBefore + follower.headHeight();
    }
    if (together > flow.pageHeight()) together = head;
    if (gap + together > flow.room() + 0.01 && flow.y > flow.top) flow.newPage();
    else flow.y += gap;
    block.draw(element);
    isFirst = false;
  }
}

interface PlacedBlock {
  readonly block: Block;
  readonly element: StructureElement;
}

function* placedBlocks(
  context: ReportContext,
  sections: readonly ReportSection[],
): Generator<PlacedBlock, undefined> {
  for (const section of sections) {
    const element = addElement(context.structure.root, 'Sect');
    for (const block of blocksOf(context, section)) yield { block, element };
  }
}

function* blocksOf(context: ReportContext, section: ReportSection): Generator<Block> {
  if (section.heading !== undefined && section.heading.trim() !== '') {
    yield headingBlock(context, section.heading);
  }
  if (section.text !== undefined) yield* textBlocks(context, section.text, introducesChart(section));
  if (section.summary !== undefined && section.summary.length > 0) {
    yield summaryBlock(context, section.summary);
  }
  if (section.bullets !== undefined) yield* bulletBlocks(context, section.bullets);
  if (section.table !== undefined) yield tableBlock(context, section.table);
  if (section.chart !== undefined) yield chartBlock(context, section.chart);
  const image = section.image === undefined ? undefined : imageBlock(context, section.image);
  if (image !== undefined) yield image;
  if (section.callout !== undefined) yield calloutBlock(context, section.callout);
}

/** Whether the chart of a section follows its text directly. */
function introducesChart({ summary, bullets, table, chart }: ReportSection): boolean {
  const between = [summary, bullets].some((list) => list !== undefined && list.length > 0);
  return chart !== undefined && table === undefined && !between;
}

/** Upright, unless the words of a table would not fit. */
function pageSize(spec: ReportSpec, typesetter: Typesetter): [width: number, height: number] {
  const { short, long } = theme.page;
  const upright = short - 2 * theme.margin.side;
  const isWide = spec.sections.some(
    ({ table }) =>
      table !== undefined && table.columns.length > 4 && wantedWidth(table, typesetter) > upright,
  );
  return isWide ? [long, short] : [short, long];
}

/** Enough of a report's text to tell the language of its ideographs. */
function textSample(spec: ReportSpec): string {
  const parts = [spec.title, spec.subtitle ?? ''];
  for (const section of spec.sections.slice(0, 40)) {
    parts.push(
      section.heading ?? '',
      (section.text ?? '').slice(0, 2_000),
      ...(section.bullets ?? []).slice(0, 20),
    );
    parts.push(...(section.table?.columns.map((column) => column.header) ?? []));
  }
  return parts.join(' ').slice(0, 20_000);
}

function fontWarnings(typesetter: Typesetter): string[] {
  const named = [...typesetter.missing]
    .sort((a, b) => a - b)
    .map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  const shown = named.slice(0, 20).join(', ');
  const rest = named.length > 20 ? ` and ${named.length - 20} more` : '';
  return [
    ...(named.length === 0 ? [] : [`No font has ${shown}${rest}`]),
    ...(typesetter.isBeyondShaping
      ? ['Some text was too varied to be shaped and was set letter by letter']
      : []),
  ];
}
