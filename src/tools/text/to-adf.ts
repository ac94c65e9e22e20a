import type { JsonObject } from '../../domain/chat.ts';
import { parseTextBlocks, type TextBlock } from './text-blocks.ts';

/**
 * Returns text as a document of Atlassian's format (ADF, version 1), which Jira Cloud takes. Text stays text: no
 * mention, link or macro comes of it.
 */
export function toAdf(text: string): JsonObject {
  const content = parseTextBlocks(text).map(blockNode);
  return { type: 'doc', version: 1, content: content.length === 0 ? [paragraph([''])] : content };
}

function blockNode(block: TextBlock): JsonObject {
  switch (block.type) {
    case 'heading':
      return { type: 'heading', attrs: { level: block.level }, content: textNodes(block.text) };
    case 'paragraph':
      return paragraph(block.lines);
    case 'code':
      return { type: 'codeBlock', content: textNodes(block.text) };
    case 'list':
      return {
        type: block.isNumbered ? 'orderedList' : 'bulletList',
        content: block.items.map((item) => ({ type: 'listItem', content: [paragraph([item])] })),
      };
  }
}

function paragraph(lines: readonly string[]): JsonObject {
  const content = lines.flatMap((line, index) => [
    ...(index === 0 ? [] : [{ type: 'hardBreak' }]),
    ...textNodes(line),
  ]);
  return { type: 'paragraph', content };
}

/** ADF has no empty text nodes. */
function textNodes(text: string): readonly JsonObject[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
