import { listAt, objectAt, textAt } from '../http/json-value.ts';

/** Nodes after whose content a line ends. */
const lineNodes: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'codeBlock',
  'listItem',
  'taskItem',
  'decisionItem',
  'tableRow',
  'rule',
  'blockCard',
  'media',
]);

const depthMax = 50;

/**
 * Returns the text of a document in Atlassian's format (ADF): one line for each block, cells apart by ` | `, names of
 * mentions, dates and statuses as people see them. Nodes that it does not know show what text is in them.
 *
 * @param charsMax where to stop.
 */
export function textFromAdf(document: unknown, charsMax: number): string {
  let text = '';

  function add(node: unknown, depth: number): void {
    if (text.length > charsMax || depth > depthMax) return;
    const type = textAt(node, 'type') ?? '';
    if (type === 'listItem') text += '- ';
    text += ownText(type, node);
    for (const inner of listAt(node, 'content')) add(inner, depth + 1);
    if (type === 'tableCell' || type === 'tableHeader') text = `${text.trimEnd()} | `;
    else if (lineNodes.has(type) && !text.endsWith('\n')) text += '\n';
  }

  add(document, 0);
  return text.slice(0, charsMax).trim();
}

function ownText(type: string, node: unknown): string {
  const attrs = objectAt(node, 'attrs');
  switch (type) {
    case 'text':
      return textAt(node, 'text') ?? '';
    case 'hardBreak':
      return '\n';
    case 'mention':
    case 'status':
      return textAt(attrs, 'text') ?? '';
    case 'emoji':
      return textAt(attrs, 'text') ?? textAt(attrs, 'shortName') ?? '';
    case 'inlineCard':
    case 'blockCard':
    case 'embedCard':
      return textAt(attrs, 'url') ?? '';
    case 'date':
      return dayOf(textAt(attrs, 'timestamp'));
    default:
      return '';
  }
}

/** Unix milliseconds in digits. */
function dayOf(timestamp: string | null): string {
  const time = new Date(Number(timestamp ?? Number.NaN));
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 10);
}
