import { fontWidthFactor } from './glyph-widths.ts';
import { inchesPerPoint } from './measures.ts';
import { countLines, type MeasuredText, measureText } from './text-lines.ts';

/** Line pitch of Arial at single spacing, times the font size. */
const lineHeight = 1.2;

export interface TextToFit {
  readonly paragraphs: readonly string[];
  /** Points. */
  readonly fontSize: number;
  readonly bold: boolean;
  readonly fontFace: string | undefined;
  /** Space before every paragraph but the first, points at full size. */
  readonly paragraphGap: number;
  /** Hanging indent of bullets, inches. */
  readonly indent: number;
  /** Room for the text, insets taken off, inches. */
  readonly width: number;
  readonly height: number;
}

/** How a text fits its room, as `a:normAutofit` says it (ECMA-376 Part 1, 21.1.2.1.3). */
export interface TextFit {
  /** Points: what was asked for; smaller where a word would be cut, or where the largest reduction is not enough. */
  readonly fontSize: number;
  /** Per cent of `fontSize`, 25 to 100. */
  readonly fontScale: number;
  /** Per cent taken off the line spacing, 0 to 20. */
  readonly lineSpaceReduction: number;
  /** False when the text is too long for its room at any size. */
  readonly fits: boolean;
}

const scaleMin = 25;
const scaleStep = 2.5;
const smallestFontSize = 4;
const fewWords = 12;
const wholeWordsShareMin = 0.5;
/** Arial's widths are exact in PowerPoint; stand-ins for it run wider, Noto Sans by a tenth. */
const widthReserve = 1.03;
const standInReserve = 1.08;

/** Finds the largest scale at which a text stays within its room, and says so when none does. */
export function fitText(text: TextToFit): TextFit {
  const measured = text.paragraphs.map(measureText);
  for (let fontSize = wholeWordsSize(measured, text); ; fontSize = Math.max(smallestFontSize, fontSize / 2)) {
    const sized = { ...text, fontSize };
    const scale = largestScale(measured, sized);
    if (scale !== undefined) {
      return { fontSize, fontScale: scale, lineSpaceReduction: reductionAt(scale), fits: true };
    }
    if (fontSize <= smallestFontSize) {
      return { fontSize, fontScale: scaleMin, lineSpaceReduction: reductionAt(scaleMin), fits: false };
    }
  }
}

/** The height that a text takes at full size, inches. */
export function naturalHeight(text: Omit<TextToFit, 'height'>): number {
  return heightAt(text.paragraphs.map(measureText), { ...text, height: 0 }, 100);
}

/**
 * The size at which no word is cut. A few words, as in a heading or a shape, take it; long text breaks its one long
 * word instead, and so does a text that would become unreadable. It is a size and no scale, since viewers that work
 * out the scale by themselves look at the height alone.
 */
function wholeWordsSize(measured: readonly MeasuredText[], text: TextToFit): number {
  const pieces = measured.reduce((total, paragraph) => total + paragraph.widths.length, 0);
  const widest = measured.reduce((most, paragraph) => Math.max(most, paragraph.widest), 0);
  const share = lineWidthAt(text, 100) / (widest * standInReserve);
  const shrinks = share < 1 && share >= wholeWordsShareMin && pieces <= fewWords;
  if (!shrinks || text.fontSize <= smallestFontSize) return text.fontSize;
  return Math.max(smallestFontSize, Math.floor(text.fontSize * share * 2) / 2);
}

function largestScale(measured: readonly MeasuredText[], text: TextToFit): number | undefined {
  const fits = (scale: number) => heightAt(measured, text, scale) <= text.height;
  if (fits(100)) return 100;
  let low = 0;
  let high = (100 - scaleMin) / scaleStep;
  if (!fits(scaleMin)) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(scaleMin + middle * scaleStep)) low = middle;
    else high = middle;
  }
  return scaleMin + low * scaleStep;
}

/** PowerPoint tightens lines by a tenth at its first step of shrinking and by a fifth from the second. */
function reductionAt(scale: number): number {
  if (scale > 92.5) return 0;
  return scale > 85 ? 10 : 20;
}

function heightAt(measured: readonly MeasuredText[], text: TextToFit, scale: number): number {
  const points = (text.fontSize * scale) / 100;
  const lineWidth = lineWidthAt(text, scale);
  let lines = 0;
  for (const paragraph of measured) lines += countLines(paragraph, lineWidth);
  const pitch = points * inchesPerPoint * lineHeight * (1 - reductionAt(scale) / 100);
  const gaps = Math.max(0, measured.length - 1) * text.paragraphGap * inchesPerPoint * (scale / 100);
  return lines * pitch + gaps;
}

/** The room of a line, em / 1000. */
function lineWidthAt(text: TextToFit, scale: number): number {
  const points = (text.fontSize * scale) / 100;
  const em = points * inchesPerPoint * fontWidthFactor(text.fontFace, text.bold) * widthReserve;
  return ((text.width - text.indent) / em) * 1_000;
}
