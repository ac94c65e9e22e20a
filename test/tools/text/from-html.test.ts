import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textFromHtml } from '../../../src/tools/text/from-html.ts';

describe('text of HTML', () => {
  test.for([
    ['<p>a</p><p>b<br>c</p>', 'a\nb\nc'],
    ['<ul><li>a</li><li><p>b</p></li></ul>', '- a\n- b'],
    ['<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>', 'a | b |\nc |'],
    ['a &amp; b &lt;c&gt; &#228;&auml;&nbsp;x &unknown;', 'a & b <c> ää x &unknown;'],
    ['<script>x</script>a<style>y</style><!-- z --><noscript>n</noscript>', 'a'],
    ['<head><title>t</title><meta><body>a', 'a'],
    ['<a href="https://evil/" onclick="x">link</a>', 'link'],
    [
      '<ac:structured-macro><ac:parameter ac:name="x">p</ac:parameter><ac:plain-text-body><![CDATA[a < b]]></ac:plain-text-body></ac:structured-macro>',
      'a < b',
    ],
    ['<b', ''],
    ['', ''],
  ])('%j is %j', ([html, text]) => {
    expect(textFromHtml(html as string, 1_000)).toBe(text);
  });

  test('is cut, and comes quickly however much there is', () => {
    expect(textFromHtml('<p>abc</p>'.repeat(100_000), 50).length).toBeLessThanOrEqual(50);
    expect(textFromHtml('<td>'.repeat(300_000), 50).length).toBeLessThanOrEqual(50);
    expect(textFromHtml(`${'<div>'.repeat(100_000)}x`, 50)).toBe('x');
  });

  test('is text for any input', () => {
    fc.assert(
      fc.property(fc.string(), (html) => {
        expect(textFromHtml(`<p>${html}`, 100).length).toBeLessThanOrEqual(100);
      }),
    );
  });
});
