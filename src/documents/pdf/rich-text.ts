import type { Look } from '../fonts/typesetter.ts';
import { parseInline } from '../markdown.ts';

/** A stretch of text in one look, with where it links to. */
export interface TextSpan extends Look {
  readonly text: string;
  readonly href?: string;
}

export const regular: Look = { bold: false, italic: false, mono: false };
export const bold: Look = { bold: true, italic: false, mono: false };

/** One span of a text as it is. */
export function plainSpans(text: string, look: Look = regular): TextSpan[] {
  return text === '' ? [] : [{ ...look, text }];
}

/** The spans of a paragraph, with the Markdown subset when the report asks for it. */
export function textSpans(text: string, markdown: boolean, look: Look = regular): TextSpan[] {
  if (!markdown) return plainSpans(text, look);
  return parseInline(text).map((run) => ({
    text: run.text,
    bold: look.bold || run.bold,
    italic: look.italic || run.italic,
    mono: run.code,
    ...(run.href === undefined ? {} : { href: run.href }),
  }));
}

/** The paragraphs of a text: its lines, those without a visible sign left out. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029\v\f]/)
    .map((line) => line.replace(/\t/g, '    ').trimEnd())
    .filter((line) => line.trim() !== '');
}
