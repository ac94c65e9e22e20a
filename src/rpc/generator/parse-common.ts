import {
  type Align,
  AlignSchema,
  type Logo,
  type Metric,
  type Palette,
  PaletteSchema,
  type SectionImage,
} from '../../../gen/service/generator/v1/common_pb.ts';
import {
  type Align as AlignName,
  type ImageRef,
  type Metric as MetricSpec,
  type PaletteName,
  paletteNames,
  type SectionImage as SectionImageSpec,
} from '../../domain/documents/common.ts';
import { pathOf, type SpecReader, type WantedImage } from './spec-reader.ts';

const alignments = ['left', 'center', 'right'] as const satisfies readonly AlignName[];

/** What a generator's request becomes: the spec for the engine, the name asked for and the pictures to fetch. */
export interface ParsedSpec<Spec> {
  readonly spec: Spec;
  /** As given; undefined when it was not. */
  readonly filename: string | undefined;
  readonly images: readonly WantedImage[];
}

export function parsePalette(
  reader: SpecReader,
  palette: Palette,
  pointer = '/palette',
): PaletteName | undefined {
  return reader.choice(PaletteSchema, palette, paletteNames, pointer);
}

export function parseAlign(reader: SpecReader, align: Align, pointer: string): AlignName | undefined {
  return reader.choice(AlignSchema, align, alignments, pointer);
}

export function parseLogo(reader: SpecReader, logo: Logo | undefined): ImageRef | undefined {
  return logo === undefined ? undefined : reader.image(logo.src, logo.alt, '/logo/src');
}

export function parseSectionImage(
  reader: SpecReader,
  image: SectionImage | undefined,
  pointer: string,
): SectionImageSpec | undefined {
  if (image === undefined) return undefined;
  const { src, alt, width } = image;
  const caption = reader.optionalText(image.caption, `${pointer}/caption`);
  if (width !== undefined && !(width > 0 && width <= 100)) {
    reader.fail(`${pointer}/width`, `${pathOf(`${pointer}/width`)} must be above 0 and at most 100 inches`);
  }
  return {
    ...reader.image(src, alt, `${pointer}/src`),
    ...(caption !== undefined && { caption }),
    ...(width !== undefined && { width }),
  };
}

/** Undefined for an empty list, so that a section without one carries none. */
export function parseMetrics(
  reader: SpecReader,
  metrics: readonly Metric[],
  pointer: string,
): readonly MetricSpec[] | undefined {
  if (metrics.length === 0) return undefined;
  return metrics.map(({ label, value }, index) => ({
    label: reader.text(label, `${pointer}/${index}/label`),
    value: reader.text(value, `${pointer}/${index}/value`),
  }));
}

/** Undefined for an empty list, so that a section without one carries none. */
export function parseTexts(
  reader: SpecReader,
  texts: readonly string[],
  pointer: string,
): readonly string[] | undefined {
  if (texts.length === 0) return undefined;
  return texts.map((text, index) => reader.text(text, `${pointer}/${index}`));
}

/** Leaves out the fields that are undefined: an absent field is absent. */
export function present<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
