import type { TextStyle } from '../../domain/documents/deck-spec.ts';
import { escapeXml } from '../ooxml/xml.ts';
import { colorXml, type Ink, solidFill } from './color.ts';
import { toEmu, toFontSize } from './measures.ts';
import type { TextFit } from './text-fit.ts';

/** Inches from the edges of a shape to its text. */
export interface Insets {
  readonly horizontal: number;
  readonly vertical: number;
}

export interface TextBody {
  readonly paragraphs: readonly string[];
  readonly style: TextStyle;
  readonly ink: Ink;
  /** The colour of bullets; absent: no bullets. */
  readonly bulletInk?: Ink;
  /** Hanging indent of bullets, inches. */
  readonly indent: number;
  /** Space before every paragraph but the first, points. */
  readonly paragraphGap: number;
  readonly insets: Insets;
  readonly align: NonNullable<TextStyle['align']> | undefined;
  readonly valign: NonNullable<TextStyle['valign']>;
  readonly fit: TextFit;
  readonly language: string;
}

const anchors = { top: 't', middle: 'ctr', bottom: 'b' } as const;
const alignments = { left: 'l', center: 'ctr', right: 'r', justify: 'just' } as const;
const firstStrong = /[\p{L}]/u;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

/** Whether a paragraph runs from right to left: its first letter decides (Unicode TR 9, rule P2). */
export function isRightToLeft(text: string): boolean {
  // Most texts hold no such letter at all, which one scan tells.
  if (!rightToLeft.test(text)) return false;
  const letter = firstStrong.exec(text)?.[0];
  return letter !== undefined && rightToLeft.test(letter);
}

/** `p:txBody`: paragraphs that wrap within their shape and shrink as `fit` says (ECMA-376 Part 1, 19.3.1.51). */
export function textBodyXml(body: TextBody): string {
  const run = runProperties(body.style, body.fit.fontSize, body.ink, body.language);
  const paragraphs = body.paragraphs.map(
    (text, index) => `<a:p>${paragraphProperties(body, text, index)}${textRun(text, run)}</a:p>`,
  );
  return `<p:txBody>${bodyProperties(body)}<a:lstStyle/>${paragraphs.join('')}</p:txBody>`;
}

/** The attributes and children of a run's properties, without the element around them. */
interface RunProperties {
  readonly attributes: string;
  readonly children: string;
}

function runProperties(style: TextStyle, fontSize: number, ink: Ink, language: string): RunProperties {
  const underline = style.underline ? ' u="sng"' : '';
  const attributes =
    ` lang="${escapeXml(language)}" sz="${toFontSize(fontSize)}"` +
    ` b="${style.bold ? 1 : 0}" i="${style.italic ? 1 : 0}"${underline} dirty="0"`;
  return { attributes, children: solidFill(ink) + typefaces(style.fontFace) };
}

function typefaces(fontFace: string | undefined): string {
  if (fontFace === undefined || fontFace === '') return '';
  const face = escapeXml(fontFace);
  return `<a:latin typeface="${face}"/><a:ea typeface="${face}"/><a:cs typeface="${face}"/>`;
}

function textRun(text: string, run: RunProperties): string {
  const properties = (name: string) => `<a:${name}${run.attributes}>${run.children}</a:${name}>`;
  if (text === '') return properties('endParaRPr');
  return `<a:r>${properties('rPr')}<a:t>${escapeXml(text)}</a:t></a:r>`;
}

function bodyProperties(body: TextBody): string {
  const { insets, fit } = body;
  const horizontal = toEmu(insets.horizontal);
  const vertical = toEmu(insets.vertical);
  const scale = fit.fontScale < 100 ? ` fontScale="${Math.round(fit.fontScale * 1_000)}"` : '';
  const reduction = fit.lineSpaceReduction > 0 ? ` lnSpcReduction="${fit.lineSpaceReduction * 1_000}"` : '';
  return (
    `<a:bodyPr wrap="square" lIns="${horizontal}" tIns="${vertical}" rIns="${horizontal}" bIns="${vertical}"` +
    ` rtlCol="0" anchor="${anchors[body.valign]}"><a:normAutofit${scale}${reduction}/></a:bodyPr>`
  );
}

function paragraphProperties(body: TextBody, text: string, index: number): string {
  const isRtl = isRightToLeft(text);
  const align = alignments[body.align ?? (isRtl ? 'right' : 'left')];
  const indent = toEmu(body.indent);
  const hanging =
    body.bulletInk === undefined ? ' marL="0" indent="0"' : ` marL="${indent}" indent="-${indent}"`;
  const gap = index === 0 ? 0 : Math.round(body.paragraphGap * 100);
  const bullet =
    body.bulletInk === undefined || text === ''
      ? '<a:buNone/>'
      : `<a:buClr>${colorXml(body.bulletInk)}</a:buClr><a:buFont typeface="Arial"/><a:buChar char="•"/>`;
  return (
    `<a:pPr${hanging} algn="${align}"${isRtl ? ' rtl="1"' : ''}>` +
    `<a:spcBef><a:spcPts val="${gap}"/></a:spcBef>${bullet}</a:pPr>`
  );
}
