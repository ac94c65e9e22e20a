import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitText, naturalHeight, type TextToFit } from '../../../src/documents/pptx/text-fit.ts';
import { countLines, measureText, splitParagraphs } from '../../../src/documents/pptx/text-lines.ts';

const numRuns = 5_000;

const word = fc.constantFrom('i', 'W', 'mm', 'Wide', ' ', '  ', '-', ' i', 'long'.repeat(9));

const text: TextToFit = {
  paragraphs: ['Hello'],
  fontSize: 18,
  bold: false,
  fontFace: undefined,
  paragraphGap: 0,
  indent: 0,
  width: 4,
  height: 1,
};

describe('fitText', () => {
  test('leaves a text that has room as it is', () => {
    expect(fitText(text)).toEqual({ fontSize: 18, fontScale: 100, lineSpaceReduction: 0, fits: true });
  });

  test('shrinks a text that is too high, and tightens its lines', () => {
    const fit = fitText({ ...text, paragraphs: ['word '.repeat(60)] });
    expect(fit.fontScale).toBeLessThan(100);
    expect(fit.fontScale).toBeGreaterThanOrEqual(25);
    expect(fit.lineSpaceReduction).toBe(20);
    expect(fit.fits).toBe(true);
  });

  test('takes a smaller size before it cuts a heading within a word', () => {
    const fit = fitText({ ...text, paragraphs: ['Parallelogram'], width: 1.2 });
    expect(fit.fontSize).toBeLessThan(18);
    expect(fit.fontSize).toBeGreaterThanOrEqual(9);
    expect(countLines(measureText('Parallelogram'), (1.2 * 72 * 1_000) / fit.fontSize)).toBe(1);
  });

  test('does not shrink a long text for one long word in it', () => {
    expect(
      fitText({ ...text, paragraphs: [`${'a '.repeat(20)}${'x'.repeat(60)}`], height: 3 }).fontSize,
    ).toBe(18);
  });

  test('says when a text is too long at any size', () => {
    expect(fitText({ ...text, paragraphs: ['word '.repeat(20_000)] }).fits).toBe(false);
  });

  test('needs no more room than there is, whatever the text', () => {
    const paragraphs = fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        paragraphs,
        fc.integer({ min: 1, max: 120 }),
        fc.double({ min: 0.2, max: 13, noNaN: true }),
        fc.double({ min: 0.1, max: 7.5, noNaN: true }),
        fc.boolean(),
        (lines, fontSize, width, height, bold) => {
          const fit = fitText({ ...text, paragraphs: lines, fontSize, width, height, bold });
          expect(fit.fontSize).toBeLessThanOrEqual(fontSize);
          if (!fit.fits) return;
          const tight = 1 - fit.lineSpaceReduction / 100;
          const needed = naturalHeight({
            ...text,
            paragraphs: lines,
            fontSize: (fit.fontSize * fit.fontScale) / 100,
            width,
            bold,
          });
          expect(needed * tight).toBeLessThanOrEqual(height + 1e-9);
        },
      ),
    );
  });

  test.for([Number.NaN, 0, -1, 1e-300, 1e300])('ends for a room of %d inches', (size) => {
    expect(fitText({ ...text, width: size, height: size }).fontSize).toBeGreaterThan(0);
    expect(fitText({ ...text, paragraphs: [''], width: size, height: size }).fontSize).toBeGreaterThan(0);
  });
});

describe('countLines', () => {
  test.for([
    ['one two three', 20_000, 1],
    ['one two three', 3_600, 2],
    ['one-two', 2_200, 2],
    ['你好世界', 2_000, 2],
    ['x'.repeat(10), 2_500, 2],
    ['', 1_000, 1],
  ] as const)('%s in %d', ([content, width, lines]) => {
    expect(countLines(measureText(content), width)).toBe(lines);
  });

  const lineWidth = fc.oneof(
    fc.double({ min: 1, max: 4_000, noNaN: true }),
    fc.double({ min: 1, max: 50_000, noNaN: true }),
  );

  test('never falls when the line gets shorter', () => {
    const content = fc.string({
      unit: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 1 }), word),
      maxLength: 80,
    });
    fc.assert(
      fc.property(content, lineWidth, lineWidth, (text, a, b) => {
        const measured = measureText(text.replaceAll('\n', ' '));
        const lines = (length: number) => countLines(measured, length);
        expect(lines(Math.min(a, b))).toBeGreaterThanOrEqual(lines(Math.max(a, b)));
      }),
      { numRuns },
    );
  });

  test('is that of the lines, filled one by one', () => {
    const content = fc.string({ unit: word, maxLength: 40 });
    fc.assert(
      fc.property(content, lineWidth, (text, length) => {
        expect(countLines(measureText(text), length)).toBe(filledLines(text, length).length);
      }),
      { numRuns },
    );
  });

  test.for(['WiW', '你好', 'e\u0301\u0302e', '你\u0301好', '\u{1F600}\u{1F601}'])(
    'a line too short for any character takes one with its marks: %s',
    (content) => {
      const characters = [...new Intl.Segmenter().segment(content)];
      expect(countLines(measureText(content), 1)).toBe(characters.length);
      expect(countLines(measureText(content), -5)).toBe(characters.length);
    },
  );
});

/** The lines of letters, blanks and hyphens, by the rules of `countLines` said in another way. */
function filledLines(content: string, length: number): string[] {
  const width = (line: string) => measureText(line).width;
  const lines = [''];
  const append = (more: string) => lines.push((lines.pop() ?? '') + more);
  const overflows = (more: string) => lines.at(-1) !== '' && width(lines.at(-1) + more) > length;
  for (const [whole, piece = '', blanks = ''] of content.matchAll(/((?:[^ -]*-|[^ -]+)?)( *)/g)) {
    if (whole === '') continue;
    if (overflows(piece)) lines.push('');
    for (const unit of width(piece) > length ? piece : [piece]) {
      if (overflows(unit)) lines.push('');
      append(unit);
    }
    const standsOver =
      piece !== '' && width(lines.at(-1)?.trimStart() ?? '') > length && width(piece) > length;
    if (standsOver && blanks !== '' && width(content) > length) lines.push('');
    append(blanks);
  }
  return lines;
}

describe('splitParagraphs', () => {
  test('parts a text at every kind of line end', () => {
    expect(splitParagraphs('a\nb\r\nc\u2028d\ve')).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('keeps every word of a text with more lines than a slide can show', () => {
    const paragraphs = splitParagraphs(Array.from({ length: 2_000 }, (_, index) => index).join('\n'));
    expect(paragraphs).toHaveLength(500);
    expect(paragraphs.join(' ').split(' ')).toHaveLength(2_000);
  });
});
