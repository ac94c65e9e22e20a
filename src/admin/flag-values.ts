/** Readers of flag values. What they cannot read they pass on, so that the field's rule says what is wrong. */

/** `a,b` */
export function readList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function readNumber(text: string): number {
  return /^-?\d[\d_]*$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
}

/** `none` takes a value away. */
export function orNone(read: (text: string) => unknown): (text: string) => unknown {
  return (text) => (text === 'none' ? null : read(text));
}

export function readText(text: string): string {
  return text;
}

/** `requests:1000/day` */
export function readUsageLimit(text: string): unknown {
  const match = /^(\w+):(\d+)\/(\w+)$/.exec(text);
  return match === null ? text : { unit: match[1], limit: Number(match[2]), window: match[3] };
}

/** An ISO 8601 date, or date and time; without an offset it is UTC. */
export function readTime(text: string): number {
  const match = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (match === null) return Number.NaN;
  return Date.parse(match[1] !== undefined && match[4] === undefined ? `${text}Z` : text);
}
