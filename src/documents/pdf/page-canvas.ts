import { deflateSync } from 'node:zlib';
import type { FontFace } from '../fonts/font-face.ts';
import type { GlyphRun } from '../fonts/glyph-run.ts';
import type { DocumentFont } from './document-font.ts';
import { showGlyphs } from './glyph-codes.ts';
import type { PdfPage, PdfReference } from './pdf-document.ts';
import { pdfColor, pdfLength, pdfNumber, pdfTextString } from './pdf-text.ts';
import type { StructureElement, StructureTree } from './structure-tree.ts';

/** What a page of a report draws with. */
export interface CanvasTools {
  readonly fontOf: (face: FontFace) => DocumentFont;
  readonly structure: StructureTree;
  /** Embeds drawn content with the fonts that it names, by their names, as a form of the size of a page. */
  readonly embedForm: (content: string, fonts: object, width: number, height: number) => Form;
}

/** Something drawn once that pages show as often as they like (ISO 32000-1, 8.10). */
export interface Form {
  readonly name: string;
  readonly reference: PdfReference;
}

/**
 * The content of one page, written straight as operators. Lengths are points from the top left corner.
 *
 * Everything drawn lies within `tag` or `artifact`: content that is neither is an error in a tagged document
 * (ISO 14289-1, 7.1). Colours, line widths and fonts are set only when they change.
 */
export class PageCanvas {
  readonly index: number;
  readonly width: number;
  readonly height: number;
  readonly page: PdfPage;
  private readonly tools: CanvasTools;
  private readonly operators: string[] = [];
  private readonly settled: Buffer[] = [];
  private fill = '';
  private stroke = '';
  private lineWidth = -1;
  private face: FontFace | undefined;
  private font: DocumentFont | undefined;
  private size = 0;
  /** The fonts of the form that is being drawn. */
  private formFonts: Record<string, unknown> | undefined;

  constructor(page: PdfPage, index: number, width: number, height: number, tools: CanvasTools) {
    this.page = page;
    this.index = index;
    this.width = width;
    this.height = height;
    this.tools = tools;
  }

  /** Draws as the content of a structure element. */
  tag(element: StructureElement, draw: () => void): void {
    const mcid = this.tools.structure.mark(element, this.index, this.page.dictionary);
    this.operators.push(`/${element.type}<</MCID ${mcid}>>BDC`);
    draw();
    this.operators.push('EMC');
  }

  /** Draws what readers skip: decoration, or what pagination repeats. */
  artifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    // A form is marked where a page shows it.
    if (this.formFonts !== undefined) {
      draw();
      return;
    }
    this.operators.push(`/Artifact<</Type/${type}>>BDC`);
    draw();
    this.operators.push('EMC');
  }

  /** Draws decoration that pages show later, by `show`, where it is drawn now. */
  form(draw: () => void): Form {
    const { fill, stroke, lineWidth, face, font, size } = this;
    const from = this.operators.length;
    const fonts = {};
    Object.assign(this, { fill: '', stroke: '', lineWidth: -1, face: undefined, formFonts: fonts });
    draw();
    const content = this.operators.splice(from).join('\n');
    Object.assign(this, { fill, stroke, lineWidth, face, font, size, formFonts: undefined });
    return this.tools.embedForm(content, fonts, this.width, this.height);
  }

  show(form: Form): void {
    this.page.xobjects[form.name] = form.reference;
    this.operators.push(`/${form.name} Do`);
  }

  rectangle(x: number, y: number, width: number, height: number, color: string): void {
    this.setFill(color);
    this.operators.push(`${this.point(x, y + height)} ${pdfLength(width)} ${pdfLength(height)} re f`);
  }

  roundedRectangle(x: number, y: number, width: number, height: number, radius: number, color: string): void {
    const r = Math.min(radius, width / 2, height / 2);
    // A quarter of a circle is a Bézier curve whose handles are 0.5523 of the radius long.
    const k = r * 0.4477;
    const [right, bottom] = [x + width, y + height];
    this.setFill(color);
    this.operators.push(
      `${this.point(x + r, y)} m ${this.point(right - r, y)} l`,
      `${this.point(right - k, y)} ${this.point(right, y + k)} ${this.point(right, y + r)} c`,
      `${this.point(right, bottom - r)} l`,
      `${this.point(right, bottom - k)} ${this.point(right - k, bottom)} ${this.point(right - r, bottom)} c`,
      `${this.point(x + r, bottom)} l`,
      `${this.point(x + k, bottom)} ${this.point(x, bottom - k)} ${this.point(x, bottom - r)} c`,
      `${this.point(x, y + r)} l`,
      `${this.point(x, y + k)} ${this.point(x + k, y)} ${this.point(x + r, y)} c h f`,
    );
  }

  line(x1: number, y1: number, x2: number, y2: number, color: string, width: number): void {
    this.setStroke(color, width);
    this.operators.push(`${this.point(x1, y1)} m ${this.point(x2, y2)} l S`);
  }

  /** Adds operators of a path in this page's own space (origin at the bottom left), with how to paint it. */
  path(
    operators: string,
    paint: { readonly fill?: string; readonly stroke?: string; readonly width?: number },
  ): void {
    if (paint.fill !== undefined) this.setFill(paint.fill);
    if (paint.stroke !== undefined) this.setStroke(paint.stroke, paint.width ?? 1);
    const operator = paint.fill === undefined ? 'S' : paint.stroke === undefined ? 'f' : 'B';
    this.operators.push(`${operators} ${operator}`);
  }

  /** Draws within a saved state, so that a dash or a turn ends with it. */
  isolated(setUp: string, draw: () => void): void {
    const { fill, stroke, lineWidth, face, font, size } = this;
    this.operators.push(setUp === '' ? 'q' : `q ${setUp}`);
    draw();
    this.operators.push('Q');
    Object.assign(this, { fill, stroke, lineWidth, face, font, size });
  }

  /** Draws what lies within a rectangle. */
  clipped(x: number, y: number, width: number, height: number, draw: () => void): void {
    const box = `${this.point(x, y + height)} ${pdfLength(width)} ${pdfLength(height)} re W n`;
    this.isolated(box, draw);
  }

  /** Draws glyphs from `x` on, standing on the line `baseline`. */
  text(runs: readonly GlyphRun[], x: number, baseline: number, size: number, color: string): void {
    this.setFill(color);
    let operators = '';
    let left = x;
    let continues = false;
    for (const run of runs) {
      const font = this.fontOperator(run.face, size);
      // After glyphs that were not moved the pen stands where the next run begins.
      if (continues) operators += font;
      else operators += `${operators === '' ? '' : ' ET '}${font}BT ${this.point(left, baseline)} Td `;
      operators += this.glyphs(run, size);
      left += (run.width * size) / 1000;
      continues = run.offsets === undefined;
    }
    if (operators !== '') this.operators.push(`${operators} ET`);
  }

  /** Draws a line of plain text (one glyph a character) as the content of an element. */
  plainText(
    element: StructureElement,
    face: FontFace,
    text: string,
    x: number,
    baseline: number,
    size: number,
    color: string,
  ): void {
    const mcid = this.tools.structure.mark(element, this.index, this.page.dictionary);
    this.setFill(color);
    const font = this.selectFont(face, size);
    this.operators.push(
      `/${element.type}<</MCID ${mcid}>>BDC BT ${this.point(x, baseline)} Td ${font.showPlain(text)} ET EMC`,
    );
  }

  /**
   * Keeps a place for decoration under what is drawn next, whose extent is not known yet. Gives the function that
   * draws it, to be called once, before the page is settled.
   */
  reserveArtifact(): (draw: () => void) => void {
    const place = this.operators.push('') - 1;
    return (draw) => {
      const from = this.operators.length;
      this.isolated('', () => {
        // What is set here now need not have been set there.
        Object.assign(this, { fill: '', stroke: '', lineWidth: -1, face: undefined });
        this.artifact(draw);
      });
      this.operators[place] = this.operators.splice(from).join('\n');
    };
  }

  /** Draws level lines of one colour and width as one path. */
  levelLines(x: number, width: number, ys: readonly number[], color: string, lineWidth: number): void {
    if (ys.length === 0) return;
    this.setStroke(color, lineWidth);
    let path = '';
    for (const y of ys) path += `${this.point(x, y)} m ${this.point(x + width, y)} l `;
    this.operators.push(`${path}S`);
  }

  /** Fills rectangles of one colour as one path. */
  rectangles(
    boxes: readonly (readonly [x: number, y: number, width: number, height: number])[],
    color: string,
  ): void {
    if (boxes.length === 0) return;
    this.setFill(color);
    let path = '';
    for (const [x, y, width, height] of boxes) {
      path += `${this.point(x, y + height)} ${pdfLength(width)} ${pdfLength(height)} re `;
    }
    this.operators.push(`${path}f`);
  }

  /** `name` is that of an image object; the picture fills the box. */
  image(name: string, reference: unknown, x: number, y: number, width: number, height: number): void {
    this.page.xobjects[name] = reference;
    this.operators.push(
      `q ${pdfNumber(width)} 0 0 ${pdfNumber(height)} ${this.point(x, y + height)} cm /${name} Do Q`,
    );
  }

  /** The name of a graphics state that draws with an opacity of 0 to 1. */
  opacity(share: number): string {
    const name = `A${Math.round(share * 100)}`;
    this.page.ext_gstates[name] ??= { Type: 'ExtGState', ca: share, CA: share };
    return name;
  }

  /** `x y` in the page's own space. */
  point(x: number, y: number): string {
    return `${pdfLength(x)} ${pdfLength(this.height - y)}`;
  }

  /** Turns what was drawn so far into bytes: the strings of many pages would keep the collector busy. */
  settle(): void {
    this.settled.push(Buffer.from(`${this.operators.join('\n')}\n`, 'latin1'));
    this.operators.length = 0;
  }

  /** Hands the content to the page, compressed. */
  flush(): void {
    this.settle();
    const bytes = deflateSync(Buffer.concat(this.settled), { level: 3 });
    this.settled.length = 0;
    const { content } = this.page;
    // pdfkit has begun the page with a flipped space; what is drawn here is in the page's own.
    content.buffer = [];
    content.compress = false;
    content.data = { Filter: 'FlateDecode' };
    content.write(bytes);
  }

  private glyphs(run: GlyphRun, size: number): string {
    const font = this.font ?? this.tools.fontOf(run.face);
    const operators = showGlyphs(run, font, size);
    if (run.actualText === undefined) return operators;
    return `/Span<</ActualText ${pdfTextString(run.actualText)}>>BDC ${operators} EMC`;
  }

  private selectFont(face: FontFace, size: number): DocumentFont {
    const operator = this.fontOperator(face, size);
    if (operator !== '') this.operators.push(operator.trimEnd());
    return this.font ?? this.tools.fontOf(face);
  }

  /** What selects a face and a size; nothing when they are selected. */
  private fontOperator(face: FontFace, size: number): string {
    if (this.face === face && this.size === size && this.font !== undefined) return '';
    const font = this.tools.fontOf(face);
    (this.formFonts ?? this.page.fonts)[font.name] = font.reference;
    this.face = face;
    this.size = size;
    this.font = font;
    return `/${font.name} ${pdfNumber(size)} Tf\n`;
  }

  private setFill(color: string): void {
    if (this.fill === color) return;
    this.fill = color;
    this.operators.push(`${pdfColor(color)} rg`);
  }

  private setStroke(color: string, width: number): void {
    if (this.stroke !== color) this.operators.push(`${pdfColor(color)} RG`);
    if (this.lineWidth !== width) this.operators.push(`${pdfNumber(width)} w`);
    this.stroke = color;
    this.lineWidth = width;
  }
}
