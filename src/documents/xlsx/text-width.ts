const mayBeWide = /[\u0300-\u036f\u1100-\uffff]/;

/** Returns the width of the longest line of a text in digits of the default font: East Asian characters take two. */
export function textWidth(text: string): number {
  if (!text.includes('\n')) return lineWidth(text);
  return text.split('\n').reduce((widest, line) => Math.max(widest, lineWidth(line)), 0);
}

function lineWidth(line: string): number {
  if (!mayBeWide.test(line)) return line.length;
  let width = 0;
  for (const character of line) width += characterWidth(character.codePointAt(0) as number);
  return width;
}

/** Wide and fullwidth ranges of Unicode Standard Annex 11; combining marks and joiners take no room. */
function characterWidth(code: number): number {
  if ((code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200d) || code === 0xfe0f) return 0;
  if (code < 0x1100) return 1;
  const wide =
    code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}
