const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The fields of a google.protobuf.Timestamp. */
export interface TimestampParts {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** Reads an RFC 3339 date and time with an offset, to the nanosecond; undefined when it is none. */
export function parseTimestamp(text: string): TimestampParts | undefined {
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = rfc3339.exec(text) ?? [];
  if (year === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const date = new Date(local);
  if (date.getUTCMonth() !== Number(month) - 1 || Number(year) < 100) return undefined;
  const offsetSeconds = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60 * (sign === '-' ? -1 : 1);
  return { seconds: BigInt(local / 1000 - offsetSeconds), nanos: Number(fraction.padEnd(9, '0')) };
}

/** Writes a timestamp as ISO 8601 in UTC with milliseconds and `Z`; what is below a millisecond is cut. */
export function formatTimestamp({ seconds, nanos }: TimestampParts): string {
  const second = Number(seconds);
  const slot = Math.abs(second % formatted.length);
  let known = formatted[slot];
  if (known?.second !== second) {
    known = { second, head: new Date(second * 1000).toISOString().slice(0, -4) };
    formatted[slot] = known;
  }
  return `${known.head}${String(Math.floor(nanos / 1e6)).padStart(3, '0')}Z`;
}

/** Seconds that were written lately, up to the point before the milliseconds: the same ones come again and again. */
const formatted = new Array<{ readonly second: number; readonly head: string } | undefined>(64).fill(
  undefined,
);
