import { parseTextBlocks, type TextBlock } from './text-blocks.ts';

/**
 * Returns text in the wiki markup that Jira Data Center takes. Macros, links, mentions and embedded pictures are
 * escaped, so that text stays text.
 */
export function toWikiMarkup(text: string): string {
  return parseTextBlocks(text).map(blockMarkup).join('\n\n');
}

function blockMarkup(block: TextBlock): string {
  switch (block.type) {
    case 'heading':
      return `h${block.level}. ${escapeMarkup(block.text)}`;
    case 'paragraph':
      return block.lines.map(escapeMarkup).join('\n');
    case 'code':
      // Inside, only the closing mark means anything.
      return `{noformat}\n${block.text.replaceAll('{noformat}', '{ noformat}')}\n{noformat}`;
    case 'list':
      return block.items.map((item) => `${block.isNumbered ? '#' : '*'} ${escapeMarkup(item)}`).join('\n');
  }
}

/** A backslash before what begins a macro, a link or mention, a picture, a table cell; two would be a line break. */
function escapeMarkup(text: string): string {
  return text
    .replaceAll('\\', '&#92;')
    .replaceAll(/[{}[\]!|]/g, '\\$&')
    .replace(/^(h[1-6]|bq)\./, '$1\\.');
}
