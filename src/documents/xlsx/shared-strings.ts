import { xmlDeclaration } from '../ooxml/xml.ts';

const special = /[&<>"'\u007f]/g;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\u007f': '',
};

/** The workbook's table of texts, each once (ECMA-376 Part 1, 18.4.9), written as exceljs writes it. */
export class SharedStrings {
  readonly #indices = new Map<string, number>();
  #references = 0;

  /** Goes on from texts that are already in the table, and the number of cells that name them. */
  constructor(texts: readonly string[] = [], references = 0) {
    for (const text of texts) this.#indices.set(text, this.#indices.size);
    this.#references = references;
  }

  /** Returns the index of a text, adding it when it is new. */
  add(text: string): number {
    this.#references++;
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    const index = this.#indices.size;
    this.#indices.set(text, index);
    return index;
  }

  /** Cells that name a text. */
  get count(): number {
    return this.#references;
  }

  get xml(): string {
    const head =
      `${xmlDeclaration}<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
      `count="${this.#references}" uniqueCount="${this.#indices.size}">`;
    let items = '';
    for (const text of this.#indices.keys()) {
      const space = /^\s|\n|\s$/.test(text) ? ' xml:space="preserve"' : '';
      items += `<si><t${space}>${escapeText(text)}</t></si>`;
    }
    return `${head}${items}</sst>`;
  }
}

/** Escapes as exceljs does, apostrophes too. */
export function escapeText(text: string): string {
  special.lastIndex = 0;
  return special.test(text) ? text.replace(special, (character) => entities[character] as string) : text;
}
