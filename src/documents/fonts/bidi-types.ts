import bidiFactory, { type Bidi, type BidiCharTypeName } from 'bidi-js';

// The package's types speak of an ES module; what Node loads is the function itself.
const data = (bidiFactory as unknown as () => Bidi)();

/** The bidirectional types (UAX 9, table 4), each a bit of its own. */
export const bidiTypes = {
  L: 1,
  R: 1 << 1,
  EN: 1 << 2,
  ES: 1 << 3,
  ET: 1 << 4,
  AN: 1 << 5,
  CS: 1 << 6,
  B: 1 << 7,
  S: 1 << 8,
  WS: 1 << 9,
  ON: 1 << 10,
  BN: 1 << 11,
  NSM: 1 << 12,
  AL: 1 << 13,
  LRO: 1 << 14,
  RLO: 1 << 15,
  LRE: 1 << 16,
  RLE: 1 << 17,
  PDF: 1 << 18,
  LRI: 1 << 19,
  RLI: 1 << 20,
  FSI: 1 << 21,
  PDI: 1 << 22,
} as const satisfies Record<BidiCharTypeName, number>;

const known = new Uint32Array(0x10000);

/** The types of a text's characters, one a UTF-16 unit: both halves of a pair have that of their character. */
export function bidiTypesOf(text: string): Uint32Array {
  const types = new Uint32Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff && index + 1 < text.length) {
      const type = typeOf(String.fromCodePoint(text.codePointAt(index) ?? code));
      types[index++] = type;
      types[index] = type;
      continue;
    }
    let type = known[code] ?? 0;
    if (type === 0) {
      type = typeOf(text.charAt(index));
      known[code] = type;
    }
    types[index] = type;
  }
  return types;
}

function typeOf(character: string): number {
  return bidiTypes[data.getBidiCharTypeName(character)];
}

/** The bracket that closes what an opening one opens, in one form for those that are equivalent; else undefined. */
export function closingBracketFor(character: string): string | undefined {
  const closing = data.openingToClosingBracket(character);
  return closing === null ? undefined : canonicalBracket(closing);
}

/** A closing bracket in one form for those that are equivalent; undefined for any other character. */
export function closingBracket(character: string): string | undefined {
  return data.closingToOpeningBracket(character) === null ? undefined : canonicalBracket(character);
}

function canonicalBracket(closing: string): string {
  return data.getCanonicalBracket(closing) ?? closing;
}

/** The sign that stands for another in a run from right to left: `)` for `(`. */
export function mirrored(character: string): string {
  return data.getMirroredCharacter(character) ?? character;
}
