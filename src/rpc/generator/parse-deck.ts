import type {
  GeneratePptxRequest,
  Slide,
  SlideBackground,
} from '../../../gen/service/generator/v1/deck_pb.ts';
import type {
  DeckSpec,
  SlideBackground as SlideBackgroundSpec,
  Slide as SlideSpec,
} from '../../domain/documents/deck-spec.ts';
import { limits } from '../../domain/limits.ts';
import { type ParsedSpec, parsePalette, present } from './parse-common.ts';
import { parseSlideElement } from './parse-slide-element.ts';
import { createSpecReader, pathOf, type SpecReader } from './spec-reader.ts';

/**
 * Reads a PPTX request.
 *
 * @throws `spec_invalid`, `spec_too_large`
 */
export function parseDeck(request: GeneratePptxRequest): ParsedSpec<DeckSpec> {
  const reader = createSpecReader('pptx', {
    tableRows: limits.pptx.tableRows,
    tableCells: limits.document.tableCells,
    overTable: 'spec_too_large',
  });
  if (request.slides.length === 0) reader.fail('/slides', 'slides must be a non-empty array');
  if (request.slides.length > limits.pptx.slides) {
    reader.fail('/slides', `slides has over ${limits.pptx.slides} entries`);
  }
  const spec = present<DeckSpec>({
    title: reader.optionalText(request.title, '/title') ?? 'Service Presentation',
    subtitle: reader.optionalText(request.subtitle, '/subtitle'),
    palette: parsePalette(reader, request.palette) ?? 'corporate',
    language: reader.language(request.language, 'en-US'),
    slides: request.slides.map((slide, index) => parseSlide(reader, slide, `/slides/${index}`)),
  });
  return { spec, filename: request.filename || undefined, images: reader.images };
}

function parseSlide(reader: SpecReader, slide: Slide, pointer: string): SlideSpec {
  const { elements } = slide;
  if (elements.length > limits.pptx.elementsPerSlide) {
    const at = `${pointer}/elements`;
    reader.fail(at, `${pathOf(at)} has over ${limits.pptx.elementsPerSlide} entries`);
  }
  return present<SlideSpec>({
    elements: elements.map((element, index) =>
      parseSlideElement(reader, element, `${pointer}/elements/${index}`),
    ),
    background: parseBackground(reader, slide.background, `${pointer}/background`),
    notes: reader.optionalText(slide.notes, `${pointer}/notes`),
    showPageNumber: slide.showPageNumber ?? true,
  });
}

function parseBackground(
  reader: SpecReader,
  background: SlideBackground | undefined,
  pointer: string,
): SlideBackgroundSpec | undefined {
  if (background === undefined) return undefined;
  if (background.image !== '') return { image: reader.image(background.image, '', `${pointer}/image`) };
  if (/[:/\\]/.test(background.color))
    return { image: reader.image(background.color, '', `${pointer}/color`) };
  const color = reader.optionalColor(background.color, `${pointer}/color`);
  return color === undefined ? undefined : { color };
}
