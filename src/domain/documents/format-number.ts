/**
 * Writes a number with a fixed count of decimals and `,` between thousands (unless `grouped` is false).
 *
 * Halves round away from zero on the decimal digits, as spreadsheets do (1.005 at two decimals is 1.01), and a
 * value that rounds to nothing has no sign. Numbers of 1e21 and more take the general form.
 */
export function formatFixed(value: number, fractionDigits: number, grouped = true): string {
  if (!Number.isFinite(value)) return '';
  const magnitude = Math.abs(value);
  if (magnitude >= 1e21) return formatGeneral(value);
  const digits = fixedDigits(magnitude, fractionDigits);
  const point = fractionDigits === 0 ? digits.length : digits.length - fractionDigits - 1;
  const whole = grouped ? groupThousands(digits.slice(0, point)) : digits.slice(0, point);
  const text = whole + digits.slice(point);
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** Writes a number as a spreadsheet's General format does: up to 12 significant digits, no separators. */
export function formatGeneral(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value === 0 ? '0' : String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e15 || magnitude < 1e-6) return exponential(value);
  return String(Number(value.toPrecision(12)));
}

function exponential(value: number): string {
  const [mantissa = '', exponent = '0'] = Number(value.toPrecision(6)).toExponential().split('e');
  return `${mantissa}E${exponent}`;
}

function fixedDigits(magnitude: number, fractionDigits: number): string {
  const scaled = magnitude * 10 ** fractionDigits;
  if (scaled >= 1e15) return magnitude.toFixed(fractionDigits);
  // Half a unit in the last place up, so that a half that binary cannot hold still rounds as a decimal half.
  const rounded = String(Math.round(scaled + scaled * Number.EPSILON));
  if (fractionDigits === 0) return rounded;
  const padded = rounded.padStart(fractionDigits + 1, '0');
  return `${padded.slice(0, -fractionDigits)}.${padded.slice(-fractionDigits)}`;
}

/** `1234567` becomes `1,234,567`; digits only. */
export function groupThousands(digits: string): string {
  if (digits.length <= 3) return digits;
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3)
    text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}
