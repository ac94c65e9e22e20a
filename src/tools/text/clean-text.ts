/**
 * Control characters but tab and line feed, the line and paragraph separators, what reorders the text around it
 * (UAX #9, section 2), what has no width, and the tag characters that can hide a text inside another (UTR #36).
 */
const unwanted =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Returns text that shows what it says: no control, reordering or hidden characters; line breaks are `\n`. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(unwanted, '');
}

/** Returns clean text in one line, at most so many characters long; what is cut ends in `…`. */
export function oneLine(text: string, charsMax: number): string {
  // What can be no part of the line need not be cleaned.
  const line = cleanText(text.slice(0, charsMax * 8))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1).toWellFormed()}…`;
}
