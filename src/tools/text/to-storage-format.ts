import { parseTextBlocks, type TextBlock } from './text-blocks.ts';

/** Returns text in Confluence's storage format. Text stays text: no macro, link or script comes of it. */
export function toStorageFormat(text: string): string {
  return parseTextBlocks(text).map(blockXml).join('');
}

function blockXml(block: TextBlock): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${escapeXml(block.text)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${block.lines.map(escapeXml).join('<br/>')}</p>`;
    case 'code':
      return `<pre>${escapeXml(block.text)}</pre>`;
    case 'list': {
      const tag = block.isNumbered ? 'ol' : 'ul';
      return `<${tag}>${block.items.map((item) => `<li><p>${escapeXml(item)}</p></li>`).join('')}</${tag}>`;
    }
  }
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
