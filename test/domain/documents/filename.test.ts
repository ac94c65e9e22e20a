import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentFilename, extensionOf } from '../../../src/domain/documents/filename.ts';

const now = Date.UTC(2026, 10, 21, 9, 8, 7, 654);

test.for([
  ['report', 'excel', 'report.xlsx'],
  ['report.xlsx', 'excel', 'report.xlsx'],
  ['Report.XLSX', 'excel', 'Report.XLSX'],
  ['report.pdf', 'excel', 'report.pdf.xlsx'],
  ['q1/2026 (final).pdf', 'pdf', 'q1_2026__final_.pdf'],
  ['../../etc/passwd', 'docx', '.._.._etc_passwd.docx'],
  ['C:\\temp\\x', 'pptx', 'C__temp_x.pptx'],
  ['zażółć', 'pdf', 'za____.pdf'],
  ['a😀b', 'pdf', 'a_b.pdf'],
  ['a"\r\nSet-Cookie: x', 'pdf', 'a___Set-Cookie__x.pdf'],
  ['   ', 'pdf', '___.pdf'],
  ['.profile', 'pdf', '.profile.pdf'],
  ['xlsx', 'excel', 'xlsx.xlsx'],
] as const)('%j for %s becomes %s', ([requested, type, expected]) => {
  expect(documentFilename(requested, type, now)).toBe(expected);
});

test.for([
  ['excel', 'service_excel_20261121T090807Z.xlsx'],
  ['pdf', 'service_pdf_20261121T090807Z.pdf'],
  ['pptx', 'service_pptx_20261121T090807Z.pptx'],
  ['docx', 'service_docx_20261121T090807Z.docx'],
] as const)('a %s file without a usable name is called %s', ([type, expected]) => {
  for (const requested of [
    undefined,
    '',
    '.',
    '..',
    '...',
    `.${extensionOf[type]}`,
    `...${extensionOf[type]}`,
  ]) {
    expect(documentFilename(requested, type, now)).toBe(expected);
  }
});

test.for([
  ['a'.repeat(75), `${'a'.repeat(75)}.xlsx`],
  ['a'.repeat(76), `${'a'.repeat(75)}.xlsx`],
  [`${'a'.repeat(75)}.xlsx`, `${'a'.repeat(75)}.xlsx`],
  [`${'a'.repeat(76)}.xlsx`, `${'a'.repeat(75)}.xlsx`],
] as const)('the cap of 80 characters includes the extension: %s', ([requested, expected]) => {
  expect(documentFilename(requested, 'excel', now)).toBe(expected);
});

test('every name is safe in a header and a path, at most 80 characters, and ends in the extension', () => {
  const type = fc.constantFrom('excel', 'pdf', 'pptx', 'docx');
  const requested = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('.', '/', 'a', '.xlsx', '.pdf', 'Z'), maxLength: 100 }),
  );
  fc.assert(
    fc.property(requested, type, (text, engine) => {
      const name = documentFilename(text, engine, now);
      expect(name).toMatch(/^[A-Za-z0-9_.-]{1,80}$/);
      expect(name.toLowerCase().endsWith(`.${extensionOf[engine]}`)).toBe(true);
      expect(documentFilename(name, engine, now)).toBe(name);
    }),
  );
});
