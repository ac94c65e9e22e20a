import { sanitiseText } from '../../src/domain/documents/sanitise-text.ts';
import { limits } from '../../src/domain/limits.ts';

const { textChars } = limits.document;

let state = 1;

/** A number below `count`: as if at random, the same in every run. */
function chance(count: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state >>> 8) % count;
}

function at(first: number, last: number): string {
  return String.fromCodePoint(first + chance(last - first + 1));
}

function pick(items: readonly string[]): string {
  return items[chance(items.length)] ?? '';
}

function several(most: number, piece: () => string): string {
  return Array.from({ length: 1 + chance(most) }, piece).join('');
}

function generate(piece: () => string): string {
  let text = '';
  while (text.length < textChars) text += piece();
  return sanitiseText(text.slice(0, textChars).toWellFormed());
}

/** The letters of a script by its first and last one. */
const scripts: readonly (readonly [first: number, last: number])[] = [
  [0x61, 0x7a],
  [0xc0, 0x24f],
  [0x391, 0x3c9],
  [0x410, 0x44f],
  [0x531, 0x556],
  [0x5d0, 0x5ea],
  [0x621, 0x64a],
  [0x905, 0x939],
  [0x985, 0x9b9],
  [0xa05, 0xa39],
  [0xb85, 0xbb9],
  [0xc05, 0xc39],
  [0xd05, 0xd39],
  [0xe01, 0xe2e],
  [0x1000, 0x102a],
  [0x10d0, 0x10f0],
  [0x1200, 0x137c],
  [0x1780, 0x17b3],
  [0x2190, 0x2bff],
  [0x3041, 0x30fa],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0x1d400, 0x1d7ff],
  [0x1f300, 0x1f64f],
];

/** Words, each of a script of its own, `chars` UTF-16 units long; the same for the same seed. */
export function scriptWords(seed: number, chars: number): string {
  state = seed;
  let text = '';
  while (text.length < chars) {
    const [first, last] = scripts[chance(scripts.length)] ?? [0x61, 0x7a];
    text += `${several(7, () => at(first, last))} `;
  }
  return sanitiseText(text.slice(0, chars).toWellFormed());
}

const arabic = Array.from({ length: 0x2a }, (_, index) => String.fromCharCode(0x621 + index));
const indicBlocks = [0x900, 0x980, 0xa00, 0xa80, 0xb80, 0xc00, 0xc80, 0xd00];

/** Consonants tied to one by viramas. */
function syllable(): string {
  const block = indicBlocks[chance(indicBlocks.length)] ?? 0x900;
  const consonant = () => at(block + 0x15, block + 0x39);
  return consonant() + several(14, () => String.fromCharCode(block + 0x4d) + consonant());
}

function joinedEmoji(): string {
  const emoji = () => at(0x1f300, 0x1f64f);
  return emoji() + several(9, () => `\u200d${emoji()}`);
}

/** The first `chars` UTF-16 units of a piece said again and again. */
export function repeat(piece: string, chars: number): string {
  return sanitiseText(piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars));
}

/** Every assigned-looking code point of the basic plane, which asks for every font there is. */
const manyCharacters = sanitiseText(
  Array.from({ length: 0xfffd - 0xa0 }, (_, index) => index + 0xa0)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCharCode(code))
    .join(''),
);

/** Texts by what is hard about them, each as long as one string may be or nearly. */
export const hostileTexts: readonly (readonly [string, string])[] = [
  ['one word', repeat('a', textChars)],
  ['words of one letter', repeat('a ', textChars)],
  ['spaces', `a${repeat(' ', textChars - 2)}b`],
  ['lines of one letter', repeat('a\n', textChars)],
  ['empty lines', `a${repeat('\n', textChars - 2)}b`],
  ['tabs', `a${repeat('\t', textChars - 2)}b`],
  ['markup', repeat('<&>"\'', textChars)],
  ['Markdown openers', repeat('**[`', textChars)],
  ['Markdown links', repeat('[a](https://x.y) ', textChars)],
  ['changing directions', repeat('aא', textChars)],
  ['Arabic', repeat('العربية ', textChars)],
  ['bidirectional controls', repeat('\u202e\u2067a', textChars)],
  ['ideographs', repeat('漢字仮名交じり文', textChars)],
  ['one Thai word', repeat('ภาษาไทย', textChars)],
  ['Devanagari conjuncts', repeat('क्षत्रिय्यो', textChars)],
  ['combining marks', `a${repeat('\u0301\u0323', textChars - 1)}`],
  ['emoji sequences', repeat('👩‍👩‍👧‍👦🏳️‍🌈', textChars)],
  ['every character', repeat(manyCharacters, 120_000)],
  ['private characters', repeat('\ue000\u{f0000}', textChars)],
  ['soft hyphens and joiners', repeat('a\u00ad\u200d\u200b', textChars)],
  ['paths and addresses', repeat('/etc/passwd file:///etc/passwd https://169.254.169.254/ ', textChars)],
  ['spreadsheet formulas', repeat('=HYPERLINK("x")&A1 ', textChars)],
  ['words of every script', scriptWords(1, textChars)],
  ['syllables of many letters', generate(syllable)],
  ['emoji joined at random', generate(joinedEmoji)],
  ['Arabic under piles of marks', generate(() => pick(arabic) + several(30, () => at(0x64b, 0x65f)))],
  ['ideographs in two weights', generate(() => `**${at(0x4e00, 0x9fa5)}**${at(0xac00, 0xd7a3)}`)],
  ['signs beyond the basic plane', generate(() => at(0x10000, 0x323af))],
  ['isolates', repeat('\u2067א\u2069a', textChars)],
  ['isolates of unknown direction', `א${repeat('\u2068', textChars - 1)}`],
  ['digits behind a Hebrew letter', `א${repeat('1', textChars - 1)}`],
  ['marks of both directions', `א${repeat('\u200e\u200f', textChars - 1)}`],
];
