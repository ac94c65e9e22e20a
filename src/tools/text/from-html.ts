import { Parser } from 'htmlparser2';

const lineTags: ReadonlySet<string> = new Set(
  'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);

/** What is in them is nothing that people read. */
const silentTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'head',
  'template',
  'noscript',
  'ac:parameter',
]);

/**
 * Returns the text of HTML or of Confluence's storage format: a line for each block, cells apart by ` | `, entities
 * decoded, no scripts, styles, comments or attributes. Linear in the length, whatever the input.
 *
 * @param charsMax where to stop.
 */
export function textFromHtml(html: string, charsMax: number): string {
  let text = '';
  let silent = 0;
  const parser = new Parser(
    {
      onopentag(name) {
        if (text.length >= charsMax) return;
        // A head that nobody closed ends here.
        if (name === 'body') silent = 0;
        else if (silentTags.has(name)) silent += 1;
        else if (name === 'li') text = `${endLine(text)}- `;
        else if (lineTags.has(name)) text = endLine(text);
      },
      ontext(part) {
        if (silent === 0 && text.length < charsMax) text += part.replaceAll(/[ \t\r\n\u00a0]+/g, ' ');
      },
      onclosetag(name) {
        if (text.length >= charsMax) return;
        if (silentTags.has(name)) silent = Math.max(0, silent - 1);
        else if (name === 'td' || name === 'th') text = `${text.trimEnd()} | `;
        else if (lineTags.has(name)) text = endLine(text);
      },
    },
    { recognizeCDATA: true, recognizeSelfClosing: true, lowerCaseTags: true },
  );
  parser.end(html);
  return text
    .slice(0, charsMax)
    .replaceAll(/ *\n */g, '\n')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') || text.endsWith('- ') ? text : `${text}\n`;
}
