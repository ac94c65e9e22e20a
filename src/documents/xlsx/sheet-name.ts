const longest = 31;

/**
 * Returns a name that a sheet may have: at most 31 UTF-16 units, none of `[]:*?/\`, no apostrophe, not `History`,
 * and told apart from `taken` without regard to case. Characters that are not allowed become spaces.
 */
export function sheetName(
  wanted: string | undefined,
  fallback: string,
  taken: readonly string[] = [],
): string {
  const cleaned = (wanted ?? '')
    .replaceAll("'", '\u2019')
    .replace(/[[\]:*?/\\\s\u0000-\u001f]+/g, ' ')
    .trim();
  const base = cleaned === '' || cleaned.toLowerCase() === 'history' ? fallback : cut(cleaned, longest);
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 2, name = base; ; number++) {
    if (!used.has(name.toLowerCase())) return name;
    const suffix = ` (${number})`;
    name = cut(base, longest - suffix.length) + suffix;
  }
}

/** Cuts between characters, never inside a surrogate pair. */
function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = /[\ud800-\udbff]/.test(text[units - 1] ?? '') ? units - 1 : units;
  return text.slice(0, end).trim();
}
