/** What the Char production of XML 1.0 leaves out, surrogates aside, and the carriage return, which XML parsers fold. */
const unsafe = /[\0-\x08\x0b-\x1f\ufffe\uffff]/;

/**
 * Returns text that every format can hold (XML 1.0, section 2.2): control characters, U+FFFE and U+FFFF are gone, tabs
 * stay, every line break is `\n`, and a surrogate without its partner is U+FFFD. Text that is already safe comes back
 * as it is. Linear in the length; idempotent.
 */
export function sanitiseText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  if (!unsafe.test(wellFormed)) return wellFormed;
  return wellFormed.replace(/\r\n?/g, '\n').replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
}
