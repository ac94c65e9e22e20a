/** One segment of a template: a literal, exactly one segment (`*`), or all that are left (`**`). */
export type TemplateSegment = { readonly literal: string } | '*' | '**';

/** A variable: the field that it binds, and the segments `[from, to)` that it captures; `to` is undefined after `**`. */
export interface TemplateVariable {
  readonly fieldPath: readonly string[];
  readonly from: number;
  readonly to: number | undefined;
}

export interface PathTemplate {
  readonly segments: readonly TemplateSegment[];
  readonly variables: readonly TemplateVariable[];
  /** What follows the colon of the last segment; empty when there is none. */
  readonly verb: string;
}

/**
 * Reads a path template of google.api.http:
 *
 *     Template = "/" Segments [ Verb ] ;      Segments = Segment { "/" Segment } ;
 *     Segment  = "*" | "**" | LITERAL | Variable ;
 *     Variable = "{" FieldPath [ "=" Segments ] "}" ;
 *     FieldPath = IDENT { "." IDENT } ;       Verb = ":" LITERAL ;
 *
 * @throws Error that names the template when it does not follow the grammar, binds a field twice, or has anything but
 * a verb after `**`
 */
export function parsePathTemplate(template: string): PathTemplate {
  const parser = new TemplateParser(template);
  return parser.parse();
}

class TemplateParser {
  readonly #text: string;
  #at = 0;
  readonly #segments: TemplateSegment[] = [];
  readonly #variables: TemplateVariable[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  parse(): PathTemplate {
    this.#expect('/');
    this.#readSegments(true);
    const verb = this.#take(':') ? this.#readLiteral() : '';
    if (this.#at !== this.#text.length) this.#fail(`unexpected "${this.#text[this.#at]}"`);
    const rest = this.#segments.indexOf('**');
    if (rest !== -1 && rest !== this.#segments.length - 1) this.#fail('** must be the last segment');
    const names = this.#variables.map(({ fieldPath }) => fieldPath.join('.'));
    if (new Set(names).size !== names.length) this.#fail('a field is bound twice');
    return { segments: this.#segments, variables: this.#variables, verb };
  }

  #readSegments(variablesAllowed: boolean): void {
    do {
      if (this.#take('**')) this.#segments.push('**');
      else if (this.#take('*')) this.#segments.push('*');
      else if (variablesAllowed && this.#take('{')) this.#readVariable();
      else this.#segments.push({ literal: this.#readLiteral() });
    } while (this.#take('/'));
  }

  #readVariable(): void {
    const fieldPath = [this.#match(/[A-Za-z_]\w*/y, 'a field name')];
    while (this.#take('.')) fieldPath.push(this.#match(/[A-Za-z_]\w*/y, 'a field name'));
    const from = this.#segments.length;
    if (this.#take('=')) this.#readSegments(false);
    else this.#segments.push('*');
    this.#expect('}');
    const to = this.#segments.at(-1) === '**' ? undefined : this.#segments.length;
    this.#variables.push({ fieldPath, from, to });
  }

  #readLiteral(): string {
    const text = this.#match(/(?:[\w.~!$&'()+,;@-]|%[0-9A-Fa-f]{2})+/y, 'a literal');
    try {
      return decodeURIComponent(text);
    } catch {
      return this.#fail(`"${text}" is not percent-encoded UTF-8`);
    }
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`"${text}" expected`);
  }

  #match(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0];
    if (text === undefined) return this.#fail(`${what} expected`);
    this.#at += text.length;
    return text;
  }

  #fail(reason: string): never {
    throw new Error(`path template ${this.#text}: ${reason} at ${this.#at}`);
  }
}
