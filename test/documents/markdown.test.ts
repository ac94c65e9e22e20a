import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type InlineRun, parseInline } from '../../src/documents/markdown.ts';

/** Shows runs as `text{b i c href}` so that tables read well. */
function show(runs: readonly InlineRun[]): string {
  return runs
    .map((run) => {
      const marks = [
        ...(run.bold ? ['b'] : []),
        ...(run.italic ? ['i'] : []),
        ...(run.code ? ['c'] : []),
        ...(run.href === undefined ? [] : [run.href]),
      ];
      return marks.length === 0 ? run.text : `${run.text}{${marks.join(' ')}}`;
    })
    .join('|');
}

describe('parseInline', () => {
  test.for<[string, string, string]>([
    ['plain text', 'just text', 'just text'],
    ['bold', 'a **b** c', 'a |b{b}| c'],
    ['italic', 'a *b* c', 'a |b{i}| c'],
    ['code', 'a `b*c*` d', 'a |b*c*{c}| d'],
    ['a link', 'see [docs](https://example.com/a)', 'see |docs{https://example.com/a}'],
    ['bold and italic at once', '***x***', 'x{b i}'],
    ['italic inside bold', '**a *b* c**', 'a {b}|b{b i}| c{b}'],
    ['italic at the end of bold', '**a *b***', 'a {b}|b{b i}'],
    ['bold at the end of italic', '*a **b***', 'a {i}|b{b i}'],
    ['emphasis in a label', '[**a** b](https://x.org)', 'a{b https://x.org/}| b{https://x.org/}'],
    ['a link in emphasis', '**[a](https://x.org)**', 'a{b https://x.org/}'],
    ['code in a label', '[`a`](https://x.org)', 'a{c https://x.org/}'],
    ['balanced parentheses in an address', '[a](https://x.org/b_(c))', 'a{https://x.org/b_(c)}'],
    ['brackets in a label', '[a [b]](https://x.org)', 'a [b]{https://x.org/}'],
    ['bold inside a word of any script', '这是**粗体**文字', '这是|粗体{b}|文字'],
    ['a lone star in bold', '**a*b**', 'a*b{b}'],
    ['an address in another script', '[a](https://ż.pl/ó)', 'a{https://xn--hha.pl/%C3%B3}'],
  ])('reads %s', ([, source, runs]) => {
    expect(show(parseInline(source))).toBe(runs);
  });

  test.for<[string, string]>([
    ['stars among spaces', '2 * 3 * 4'],
    ['an unclosed marker', '**never closed'],
    ['only stars', '****'],
    ['an empty code span', 'a `` b'],
    ['a lone backtick', 'a ` b'],
    ['a link to http', '[a](http://x.org)'],
    ['a link to a script', '[a](javascript:alert(1))'],
    ['a link to a file', '[a](file:///etc/passwd)'],
    ['an address with a space', '[a](https://x.org/ b)'],
    ['an address that is none', '[a](https://[)'],
    ['an empty label', '[](https://x.org)'],
    ['an unclosed address', '[a](https://x.org'],
    ['underscores', '__a__ _b_'],
    ['headings and lists', '# a - b > c'],
    ['backslashes', 'a \\ b'],
    ['HTML', '<b>a</b>'],
  ])('leaves %s as it is', ([, source]) => {
    expect(show(parseInline(source))).toBe(source);
  });

  test('of nothing is nothing', () => {
    expect(parseInline('')).toEqual([]);
  });

  const markup = fc
    .array(
      fc.constantFrom('*', '**', '***', '`', '[', ']', '(', ')', '](https://x.y)', ' ', 'a', '😀', '.'),
      {
        maxLength: 60,
      },
    )
    .map((pieces) => pieces.join(''));

  test('loses nothing but markers: the text is a subsequence of the source, and no run is empty', () => {
    fc.assert(
      fc.property(markup, (source) => {
        const runs = parseInline(source);
        let from = 0;
        for (const character of runs.map((run) => run.text).join('')) {
          const at = source.indexOf(character, from);
          expect(at).toBeGreaterThanOrEqual(0);
          from = at + character.length;
        }
        expect(runs.every((run) => run.text !== '')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.for<[string, string]>([
    ['openers', '*a '],
    ['closers', 'a* '],
    ['both-sided runs', 'a**b*c***'],
    ['brackets', '['],
    ['closed brackets', '[]'],
    ['unclosed links', '[a](https://x'],
    ['closed links', '[a](https://x.y)'],
    ['parentheses', '('],
    ['code spans', '`a`'],
    ['odd backticks and stars', '`*'],
    ['nested labels', '[*`'],
  ])('stays linear for a megabyte of %s', ([, piece]) => {
    // Quadratic work on this length would take minutes and run into the test's time limit.
    const runs = parseInline(piece.repeat(1_000_000 / piece.length));
    expect(runs.length).toBeGreaterThan(0);
  });
});
