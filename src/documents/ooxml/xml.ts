const special = /[&<>"]/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML content and double-quoted attributes. The text must already be free of XML-illegal characters. */
export function escapeXml(text: string): string {
  special.lastIndex = 0;
  return special.test(text) ? text.replace(special, (character) => entities[character] as string) : text;
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
