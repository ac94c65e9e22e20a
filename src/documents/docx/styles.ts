import {
  BorderStyle,
  type IBaseParagraphStyleOptions,
  type ICharacterStyleOptions,
  type IParagraphStyleOptions,
  type IStylesOptions,
  LevelFormat,
  LineRuleType,
  ShadingType,
} from 'docx';
import type { Palette } from '../palettes.ts';
import { type TableSize, tableSizes } from './table-layout.ts';

/** Stands where the language and the East Asian font of a document go. */
export const languageMarker = 'x-language';
export const eastAsianFontMarker = 'East Asian Font';

export const listReferences = { bullets: 'bullets', numbers: 'numbers' } as const;

/** Latin and complex scripts show in fonts that every Word has; Word itself falls back from these for other scripts. */
const bodyFont = {
  ascii: 'Calibri',
  hAnsi: 'Calibri',
  eastAsia: eastAsianFontMarker,
  cs: 'Arial',
};

/** Word's built-in styles in the colours of a palette, and the few of our own that tables and boxes need. */
export function stylesOf(palette: Palette): IStylesOptions {
  return {
    default: {
      document: {
        run: {
          font: bodyFont,
          size: 22,
          color: palette.text,
          language: { value: languageMarker, eastAsia: languageMarker, bidirectional: languageMarker },
        },
        paragraph: { spacing: { after: 140, ...lineOf(276) } },
      },
      title: {
        run: { size: 56, bold: true, color: palette.primary },
        paragraph: {
          keepNext: true,
          keepLines: true,
          spacing: { after: 120, ...lineOf(240) },
          border: { bottom: line(palette.accent, 18, 6) },
        },
      },
      heading1: heading(0, 36, palette.primary, { before: 400, after: 160 }, line(palette.accent, 8, 3)),
      heading2: heading(1, 28, palette.primary, { before: 320, after: 100 }),
      heading3: heading(2, 24, palette.text, { before: 240, after: 80 }),
      caption: {
        run: { size: 18, italics: true, color: palette.muted },
        paragraph: { spacing: { before: 80, after: 240 } },
      },
      hyperlink: { run: { color: palette.primary, underline: { color: palette.accent } } },
    },
    paragraphStyles: [
      own('Subtitle', 'Subtitle', {
        next: 'Normal',
        quickFormat: true,
        run: { size: 28, color: palette.muted },
        paragraph: { keepLines: true, spacing: { before: 60, after: 320, ...lineOf(240) } },
      }),
      own('ListBullet', 'List Bullet', {
        quickFormat: true,
        paragraph: {
          numbering: { reference: listReferences.bullets, level: 0 },
          contextualSpacing: true,
          spacing: { after: 140, ...lineOf(300) },
        },
      }),
      own('ListNumber', 'List Number', {
        quickFormat: true,
        paragraph: {
          numbering: { reference: listReferences.numbers, level: 0 },
          contextualSpacing: true,
          spacing: { after: 140, ...lineOf(300) },
        },
      }),
      own('Summary', 'Summary', {
        quickFormat: true,
        paragraph: {
          spacing: { before: 120, after: 200, ...lineOf(320) },
          indent: { left: 210, right: 0 },
          shading: ground(palette.surface),
          border: { left: line(palette.accent, 36, 6) },
        },
      }),
      own('ChartBox', 'Chart Box', {
        paragraph: {
          keepNext: true,
          keepLines: true,
          spacing: { after: 0, ...lineOf(288) },
          indent: { left: 160, right: 160 },
          shading: ground(palette.surface),
          border: boxed(palette.border),
        },
        run: { size: 20 },
      }),
      own('Figure', 'Figure', {
        paragraph: { spacing: { before: 120, after: 80, ...lineOf(240) } },
      }),
      own('TableGap', 'Table Gap', {
        run: { size: 2 },
        paragraph: { spacing: { before: 0, after: 160, line: 20, lineRule: LineRuleType.EXACT } },
      }),
      own('Header', 'header', {
        run: { size: 18, color: palette.muted },
        paragraph: { spacing: { after: 0, ...lineOf(240) }, border: { bottom: line(palette.border, 4, 4) } },
      }),
      own('Footer', 'footer', {
        run: { size: 18, color: palette.muted },
        paragraph: { spacing: { after: 0, ...lineOf(240) } },
      }),
      ...Object.values(tableSizes).flatMap((size) => tableParagraphStyles(size, palette)),
    ],
    characterStyles: [
      character('SummaryLabel', 'Summary Label', { run: { color: palette.muted } }),
      character('SummaryValue', 'Summary Value', { run: { bold: true, color: palette.primary } }),
      character('Code', 'Code', {
        run: {
          font: { ascii: 'Consolas', hAnsi: 'Consolas', eastAsia: eastAsianFontMarker, cs: 'Courier New' },
          size: 20,
          shading: ground(palette.surface),
        },
      }),
    ],
  };
}

/** The styles that the library cannot write: the default character style and that of tables (ECMA-376 Part 1, 17.7.6). */
export function ownStylesXml(palette: Palette): string {
  const border = (edge: string, color: string, size: number) =>
    `<w:${edge} w:val="single" w:sz="${size}" w:space="0" w:color="${color}"/>`;
  return [
    '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont">',
    '<w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/><w:unhideWhenUsed/></w:style>',
    '<w:style w:type="table" w:customStyle="1" w:styleId="ReportTable"><w:name w:val="Report Table"/>',
    '<w:basedOn w:val="TableNormal"/><w:uiPriority w:val="99"/><w:qFormat/>',
    '<w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>',
    '<w:tblPr><w:tblStyleRowBandSize w:val="1"/><w:tblStyleColBandSize w:val="1"/><w:tblBorders>',
    border('top', palette.primary, 4),
    border('bottom', palette.primary, 8),
    border('insideH', palette.border, 4),
    '</w:tblBorders><w:tblCellMar><w:top w:w="50" w:type="dxa"/><w:left w:w="100" w:type="dxa"/>',
    '<w:bottom w:w="50" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr>',
    '<w:tcPr><w:vAlign w:val="center"/></w:tcPr>',
    `<w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:bCs/><w:color w:val="${palette.onPrimary}"/></w:rPr>`,
    `<w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="${palette.primary}"/></w:tcPr></w:tblStylePr>`,
    `<w:tblStylePr w:type="band2Horz"><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="${palette.surface}"/>`,
    '</w:tcPr></w:tblStylePr></w:style>',
  ].join('');
}

/** The bulleted and the numbered list, nine levels each, so that a reader can indent items. */
export function numberingOf(palette: Palette) {
  const run = { color: palette.primary };
  const paragraph = (level: number) => ({ indent: { left: 400 * (level + 1), hanging: 400 } });
  const levels = Array.from({ length: 9 }, (_, level) => level);
  return {
    config: [
      {
        reference: listReferences.bullets,
        levels: levels.map((level) => ({
          level,
          format: LevelFormat.BULLET,
          text: ['•', '–', '▪'][level % 3] ?? '•',
          style: { run, paragraph: paragraph(level) },
        })),
      },
      {
        reference: listReferences.numbers,
        levels: levels.map((level) => ({
          level,
          format:
            [LevelFormat.DECIMAL, LevelFormat.LOWER_LETTER, LevelFormat.LOWER_ROMAN][level % 3] ?? 'decimal',
          text: `%${level + 1}.`,
          style: { run: { ...run, bold: true }, paragraph: paragraph(level) },
        })),
      },
    ],
  };
}

function heading(
  outlineLevel: number,
  size: number,
  color: string,
  spacing: { readonly before: number; readonly after: number },
  underline?: ReturnType<typeof line>,
): IBaseParagraphStyleOptions {
  return {
    run: { size, bold: true, color },
    paragraph: {
      outlineLevel,
      keepNext: true,
      keepLines: true,
      spacing: { ...spacing, ...lineOf(240) },
      ...(underline === undefined ? {} : { border: { bottom: underline } }),
    },
  };
}

function own(
  id: string,
  name: string,
  options: Omit<IBaseParagraphStyleOptions, 'id' | 'name'>,
): IParagraphStyleOptions {
  return { id, name, basedOn: 'Normal', ...options };
}

function character(
  id: string,
  name: string,
  options: Omit<ICharacterStyleOptions, 'id' | 'name'>,
): ICharacterStyleOptions {
  return { id, name, basedOn: 'DefaultParagraphFont', ...options };
}

function tableParagraphStyles(size: TableSize, palette: Palette): IParagraphStyleOptions[] {
  const paragraph = { spacing: { before: 0, after: 0, ...lineOf(240) } };
  const name = (id: string) => id.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return [
    own(size.textStyle, name(size.textStyle), { paragraph, run: { size: size.fontHalfPoints } }),
    own(size.headerStyle, name(size.headerStyle), {
      paragraph: { ...paragraph, keepNext: true },
      run: { size: size.fontHalfPoints, bold: true, color: palette.onPrimary },
    }),
  ];
}

function line(color: string, eighthPoints: number, space: number) {
  return { style: BorderStyle.SINGLE, size: eighthPoints, color, space };
}

function boxed(color: string) {
  const edge = line(color, 6, 6);
  return { top: edge, bottom: edge, left: edge, right: edge };
}

/** A multiple of the font's line height, in 240ths; without the rule some readers take it for a fixed height. */
function lineOf(line: number) {
  return { line, lineRule: LineRuleType.AUTO };
}

function ground(fill: string) {
  return { type: ShadingType.CLEAR, color: 'auto', fill };
}
