/** A plain text in parts, with the few marks that people write by habit. */
export type TextBlock =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  /** Lines of one paragraph. */
  | { readonly type: 'paragraph'; readonly lines: readonly string[] }
  | { readonly type: 'list'; readonly isNumbered: boolean; readonly items: readonly string[] }
  | { readonly type: 'code'; readonly text: string };

/**
 * Reads a text that a model wrote: paragraphs between empty lines, `# ` to `###### ` headings, `- ` or `* ` and `1. `
 * lists, and code between lines of three backticks. All else is text as it stands; linear in the length.
 */
export function parseTextBlocks(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let code: string[] | undefined;
  let items: string[] = [];

  function endParagraph() {
    if (lines.length > 0) blocks.push({ type: 'paragraph', lines });
    lines = [];
  }

  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) {
      if (code === undefined) endParagraph();
      else blocks.push({ type: 'code', text: code.join('\n') });
      code = code === undefined ? [] : undefined;
    } else if (code !== undefined) {
      code.push(line);
    } else if (line.trim() === '') {
      endParagraph();
    } else {
      addLine(line.trim());
    }
  }
  endParagraph();
  if (code !== undefined) blocks.push({ type: 'code', text: code.join('\n') });
  return blocks;

  function addLine(line: string) {
    const [, marks, heading] = /^(#{1,6}) +(.+)$/.exec(line) ?? [];
    const [, mark, item] = /^([-*•]|\d{1,3}[.)]) +(.+)$/.exec(line) ?? [];
    if (marks !== undefined && heading !== undefined) {
      endParagraph();
      blocks.push({ type: 'heading', level: marks.length, text: heading });
    } else if (mark !== undefined && item !== undefined) {
      endParagraph();
      addItem(item, /\d/.test(mark));
    } else {
      lines.push(line);
    }
  }

  function addItem(item: string, isNumbered: boolean) {
    const last = blocks.at(-1);
    if (last?.type === 'list' && last.isNumbered === isNumbered) {
      items.push(item);
    } else {
      items = [item];
      blocks.push({ type: 'list', isNumbered, items });
    }
  }
}
