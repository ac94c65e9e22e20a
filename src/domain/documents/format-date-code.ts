import type { CodeToken } from './parse-format-code.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Shows an instant (Unix milliseconds, UTC) by the tokens of an Excel date format. */
export function formatDateCode(tokens: readonly CodeToken[], instant: number): string {
  const date = new Date(instant);
  const isTwelveHours = tokens.some((token) => token.kind === 'code' && /^(AM\/PM|A\/P)$/i.test(token.text));
  return tokens
    .map((token, index) => {
      if (token.kind === 'literal') return token.text;
      const isMinutes = /^\[?m/i.test(token.text) && standsForMinutes(tokens, index);
      return showDatePart(token.text.toLowerCase(), date, isTwelveHours, isMinutes);
    })
    .join('');
}

/** `m` is minutes after hours or before seconds, else a month. */
function standsForMinutes(tokens: readonly CodeToken[], index: number): boolean {
  const isPart = (token: CodeToken) => token.kind === 'code' && /^\[?[ymdhs]/i.test(token.text);
  const before = tokens.slice(0, index).findLast(isPart)?.text ?? '';
  const after = tokens.slice(index + 1).find(isPart)?.text ?? '';
  return /^\[?h/i.test(before) || /^\[?s/i.test(after);
}

function showDatePart(code: string, date: Date, isTwelveHours: boolean, isMinutes: boolean): string {
  const length = code.length;
  const pad = (value: number) => (length >= 2 ? String(value).padStart(2, '0') : String(value));
  if (code === 'am/pm') return date.getUTCHours() < 12 ? 'AM' : 'PM';
  if (code === 'a/p') return date.getUTCHours() < 12 ? 'A' : 'P';
  switch (code.replace('[', '')[0]) {
    case 'y':
      return String(date.getUTCFullYear())
        .padStart(4, '0')
        .slice(length > 2 ? 0 : 2);
    case 'm':
      if (isMinutes) return pad(date.getUTCMinutes());
      return length <= 2 ? pad(date.getUTCMonth() + 1) : shortName(months[date.getUTCMonth()] ?? '', length);
    case 'd':
      return length <= 2 ? pad(date.getUTCDate()) : shortName(days[date.getUTCDay()] ?? '', length);
    case 'h':
      return pad(isTwelveHours ? date.getUTCHours() % 12 || 12 : date.getUTCHours());
    case 's': {
      const places = code.split('.')[1]?.length ?? 0;
      const milliseconds = String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, places);
      const seconds = String(date.getUTCSeconds());
      const shown = code.startsWith('ss') ? seconds.padStart(2, '0') : seconds;
      return places === 0 ? shown : `${shown}.${milliseconds.padEnd(places, '0')}`;
    }
    default:
      return '';
  }
}

function shortName(name: string, length: number): string {
  if (length === 3) return name.slice(0, 3);
  return length === 5 ? name.slice(0, 1) : name;
}
