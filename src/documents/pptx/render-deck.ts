import type { Chart } from '../../domain/documents/common.ts';
import type { DeckSpec } from '../../domain/documents/deck-spec.ts';
import { specInvalid } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { RenderedDocument, RenderInput } from '../../ports/renderer.ts';
import { embeddedChart } from '../charts/drawingml/embedded-workbook.ts';
import { writeZip } from '../ooxml/zip.ts';
import { type Palette, palettes } from '../palettes.ts';
import { groundUnder } from './ground.ts';
import { type Layouts, openLayouts } from './layouts.ts';
import { type Media, openMedia } from './media.ts';
import { notesPart } from './notes-part.ts';
import { assemblePackage, type PackageParts } from './package.ts';
import { type PlannedSlide, planSlide } from './plan-slides.ts';
import { createRelationships, type Relationships } from './relationships.ts';
import { deckSkeleton, fontFace } from './skeleton.ts';
import type { SlideContext } from './slide-context.ts';
import { slidePart } from './slide-part.ts';

/**
 * Renders a deck to a .pptx file: native shapes, tables and charts that PowerPoint edits, schema-valid, compressed,
 * the same bytes for the same input.
 *
 * pptxgenjs builds the structure (theme, masters, presentation), mended to the schema; slides are written as strings
 * beside it. Texts shrink into their boxes; tables that are too long continue on slides of their own.
 *
 * @throws `spec_invalid` when the deck has too many charts, or tables that need too many slides
 */
export async function renderDeck(input: RenderInput<DeckSpec>): Promise<RenderedDocument> {
  const { spec, createdAtMs } = input;
  const palette = palettes[spec.palette];
  const media = openMedia(input.images);
  const warnings = createWarnings();
  const parts: PackageParts = new Map();
  const skeleton = await deckSkeleton();
  const layouts = openLayouts(skeleton.slideLayout, media);
  const deck: Deck = { spec, palette, media, layouts, parts, chartCount: 0 };
  let slideCount = 0;
  let notesCount = 0;
  for (const [index, slide] of spec.slides.entries()) {
    const warn = (sentence: string) => warnings.add(`slide ${index + 1}: ${sentence}`);
    const slidesAfter = spec.slides.length - index - 1;
    const slidesLeft = limits.pptx.slidesWritten - slideCount - slidesAfter;
    for (const planned of planSlide(slide, { assetOf: media.assetOf, warn, slidesLeft })) {
      slideCount++;
      if (planned.notes !== undefined && planned.notes !== '') notesCount++;
      writeSlide(planned, slideCount, deck, warn);
    }
  }
  for (const [name, bytes] of media.parts()) parts.set(name, bytes);
  const archive = assemblePackage(parts, {
    skeleton,
    spec,
    palette,
    layouts,
    slideCount,
    notesCount,
    createdAtMs,
  });
  return { bytes: writeZip(archive), warnings: warnings.list() };
}

interface Deck {
  readonly spec: DeckSpec;
  readonly palette: Palette;
  readonly media: Media;
  readonly parts: PackageParts;
  readonly layouts: Layouts;
  chartCount: number;
}

function writeSlide(slide: PlannedSlide, number: number, deck: Deck, warn: (sentence: string) => void): void {
  const { parts, palette, spec } = deck;
  const relationships = createRelationships();
  const layout = deck.layouts.numberFor(slide.background);
  relationships.relate('slideLayout', `../slideLayouts/slideLayout${layout}.xml`);
  let lastId = 1;
  const context = (elementsBelow: number): SlideContext => ({
    palette,
    language: spec.language,
    nextId: () => ++lastId,
    groundUnder: (box) => groundUnder(box, slide, elementsBelow, palette),
    relateImage: (ref) => ({
      id: relationships.relate('image', `../media/${deck.media.nameOf(ref)}`),
      asset: deck.media.assetOf(ref),
    }),
    relateChart: (chart, fontSize) => writeChart(chart, fontSize, relationships, deck),
    warn,
  });
  parts.set(`ppt/slides/slide${number}.xml`, slidePart(slide, number, context));
  if (slide.notes !== undefined && slide.notes !== '') {
    relationships.relate('notesSlide', `../notesSlides/notesSlide${number}.xml`);
    writeNotes(slide.notes, number, deck);
  }
  parts.set(`ppt/slides/_rels/slide${number}.xml.rels`, relationships.toXml());
}

function writeNotes(notes: string, number: number, { parts, spec }: Deck): void {
  const relationships = createRelationships();
  relationships.relate('notesMaster', '../notesMasters/notesMaster1.xml');
  relationships.relate('slide', `../slides/slide${number}.xml`);
  parts.set(`ppt/notesSlides/notesSlide${number}.xml`, notesPart(notes, spec.language));
  parts.set(`ppt/notesSlides/_rels/notesSlide${number}.xml.rels`, relationships.toXml());
}

function writeChart(chart: Chart, fontSize: number, slide: Relationships, deck: Deck): string {
  const { parts, palette } = deck;
  const number = ++deck.chartCount;
  if (number > limits.pptx.charts) {
    throw specInvalid('pptx', `the deck has over ${limits.pptx.charts} charts`, '/slides');
  }
  const relationships = createRelationships();
  const workbookName = `workbook${number}.xlsx`;
  const externalWorkbookRelId = relationships.relate('package', `../embeddings/${workbookName}`);
  const { xml, workbook } = embeddedChart(chart, { palette, externalWorkbookRelId, fontFace, fontSize });
  parts.set(`ppt/charts/chart${number}.xml`, xml);
  parts.set(`ppt/charts/_rels/chart${number}.xml.rels`, relationships.toXml());
  parts.set(`ppt/embeddings/${workbookName}`, workbook);
  return slide.relate('chart', `../charts/chart${number}.xml`);
}

interface Warnings {
  add(sentence: string): void;
  list(): readonly string[];
}

const warningsMax = 20;

/** Collects different warnings, and of the many that a broken spec causes only their number. */
function createWarnings(): Warnings {
  const sentences = new Set<string>();
  return {
    add: (sentence) => sentences.add(sentence),
    list() {
      const shown = [...sentences].slice(0, warningsMax);
      const more = sentences.size - shown.length;
      return more > 0 ? [...shown, `${more} more warnings of this kind`] : shown;
    },
  };
}
