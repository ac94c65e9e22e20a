import type { DescEnum } from '@bufbuild/protobuf';
import { parseColor } from '../../domain/documents/color.ts';
import type { CellValue, Color, ImageRef } from '../../domain/documents/common.ts';
import { sanitiseText } from '../../domain/documents/sanitise-text.ts';
import { type EngineName, ServiceError, specInvalid } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { enumJsonNames } from '../enum-json-name.ts';

/** A picture that a spec asks for: `src` as given, `asset` as the parsed spec names it. */
export interface WantedImage {
  readonly asset: string;
  readonly src: string;
  /** JSON pointer (RFC 6901) into the spec. */
  readonly pointer: string;
}

/** Reads the fields of one spec. Every fault is `spec_invalid`, its title naming the engine and the reason. */
export interface SpecReader {
  readonly engine: EngineName;
  readonly images: readonly WantedImage[];
  fail(pointer: string, reason: string): never;
  /** Text that every format can hold; longer than the limit is a fault. */
  text(value: string, pointer: string, charsMax?: number): string;
  /** As `text`; undefined when it is absent or empty. */
  optionalText(value: string | undefined, pointer: string): string | undefined;
  optionalColor(value: string | undefined, pointer: string): Color | undefined;
  /** One of `names` by the JSON name of an enum value; undefined when it is not given. */
  choice<Name extends string>(
    desc: DescEnum,
    value: number,
    names: readonly Name[],
    pointer: string,
  ): Name | undefined;
  /** A cell: text, finite number, boolean or null. The pointer is asked for only when there is a fault. */
  cell(value: unknown, pointer: () => string): CellValue;
  finite(value: number, pointer: string): number;
  /** Counts rows and cells of one more table. */
  countTable(rows: number, columns: number, pointer: string): void;
  image(src: string, alt: string, pointer: string): ImageRef;
  /** BCP 47 tag. */
  language(value: string, fallback: string): string;
}

export interface SpecReaderLimits {
  readonly tableRows: number;
  readonly tableCells: number;
  /** `spec_too_large` or `spec_invalid`. */
  readonly overTable: 'spec_too_large' | 'spec_invalid';
  readonly cellChars?: number;
}

export function createSpecReader(engine: EngineName, table: SpecReaderLimits): SpecReader {
  const images: WantedImage[] = [];
  const cellChars = table.cellChars ?? limits.document.textChars;
  let cells = 0;

  function fail(pointer: string, reason: string): never {
    throw specInvalid(engine, reason, pointer);
  }

  function overTable(pointer: string, reason: string): never {
    if (table.overTable === 'spec_invalid') fail(pointer, reason);
    throw new ServiceError('spec_too_large', { detail: reason, violations: [{ pointer, detail: reason }] });
  }

  function text(value: string, pointer: string, charsMax: number = limits.document.textChars): string {
    if (value.length > charsMax) fail(pointer, `${pathOf(pointer)} is over ${charsMax} characters`);
    return sanitiseText(value);
  }

  return {
    engine,
    images,
    fail,
    text,
    optionalText: (value, pointer) => text(value ?? '', pointer) || undefined,
    optionalColor(value, pointer) {
      if (value === undefined || value === '') return undefined;
      return (
        parseColor(value) ?? fail(pointer, `${pathOf(pointer)} is not a colour: use #RRGGBB or a CSS name`)
      );
    },
    choice(desc, value, names, pointer) {
      if (value === 0) return undefined;
      const name = enumJsonNames(desc).get(value);
      return (
        names.find((known) => known === name) ??
        fail(pointer, `${pathOf(pointer)} must be one of ${names.join(', ')}`)
      );
    },
    cell(value, pointer) {
      switch (typeof value) {
        case 'string':
          return text(value, value.length > cellChars ? pointer() : '', cellChars);
        case 'number':
          return Number.isFinite(value)
            ? value
            : fail(pointer(), `${pathOf(pointer())} must be a finite number`);
        case 'boolean':
          return value;
        case 'undefined':
          return null;
        default:
          return value === null
            ? null
            : fail(pointer(), `${pathOf(pointer())} must be a string, number, boolean or null`);
      }
    },
    finite: (value, pointer) =>
      Number.isFinite(value) ? value : fail(pointer, `${pathOf(pointer)} must be a finite number`),
    countTable(rows, columns, pointer) {
      if (rows > table.tableRows) overTable(pointer, `${pathOf(pointer)} has over ${table.tableRows} rows`);
      cells += rows * columns;
      if (cells > table.tableCells)
        overTable(pointer, `the tables have over ${table.tableCells} cells in all`);
    },
    image(src, alt, pointer) {
      if (images.length === limits.image.perDocument)
        fail(pointer, `there are over ${limits.image.perDocument} images`);
      const asset = `image${images.length + 1}`;
      images.push({ asset, src, pointer });
      return { asset, alt: sanitiseText(alt) };
    },
    language(value, fallback) {
      if (value === '') return fallback;
      try {
        return Intl.getCanonicalLocales(value)[0] ?? fallback;
      } catch {
        return fail('/language', 'language must be a BCP 47 tag');
      }
    },
  };
}

/** Writes a JSON pointer as people write paths: `/rows/3/price` is `rows[3].price`. */
export function pathOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((token, index) =>
      /^\d+$/.test(token) ? `[${token}]` : `${index === 0 ? '' : '.'}${unescapeToken(token)}`,
    )
    .join('');
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Escapes a property name for a JSON pointer (RFC 6901, section 3). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
