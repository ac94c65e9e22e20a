import type { Color } from '../../../domain/documents/common.ts';
import { type ChartSurface, fitLabel, fitLabelEnds } from './surface.ts';

/** How category labels are written so that each fits: level or turned, all of them or every `step`th. */
export interface CategoryLabels {
  readonly texts: readonly string[];
  readonly isTurned: boolean;
  readonly step: number;
  readonly height: number;
}

const size = 8.5;
const turn = 40;
const turnedWidthMax = 84;
const slope = (turn * Math.PI) / 180;

/** Measures the labels of categories `bandWidth` points apart, the first of them `leftRoom` from the left edge. */
export function measureCategories(
  surface: ChartSurface,
  labels: readonly string[],
  bandWidth: number,
  leftRoom: number,
): CategoryLabels {
  const levelWidth = Math.max(bandWidth - 4, 1);
  const level = labels.map((label) => fitLabel(surface, label, Math.max(levelWidth, 60), size));
  const widest = level.reduce((most, text) => Math.max(most, surface.measure(text, size)), 0);
  if (widest <= levelWidth) return { texts: level, isTurned: false, step: 1, height: 16 };
  // Short labels such as years stay level: some of them are left out sooner than all are turned.
  const levelStep = Math.ceil((widest + 6) / bandWidth);
  if (widest <= 34 && labels.length / levelStep >= 4) {
    return { texts: level, isTurned: false, step: levelStep, height: 16 };
  }
  const step = Math.max(1, Math.ceil((size * 1.5) / Math.sin(slope) / bandWidth));
  const written = labels.filter((_, index) => index % step === 0);
  const turned = tellingLabels(written, (label, place, cut) => {
    const room = (leftRoom + place * step * bandWidth) / Math.cos(slope);
    return cut(surface, label, Math.min(turnedWidthMax, room), size);
  });
  const longest = turned.reduce((most, text) => Math.max(most, surface.measure(text, size)), 0);
  const height = longest * Math.sin(slope) + 14;
  const texts = labels.map((_, index) => (index % step === 0 ? (turned[index / step] ?? '') : ''));
  return { texts, isTurned: true, step, height };
}

/**
 * Cuts labels so that as many as can be stay different: at their ends, in their middles, or, when they differ only
 * between what they share, at what they share at their beginnings.
 */
function tellingLabels(
  labels: readonly string[],
  cutLabel: (label: string, index: number, cut: typeof fitLabel) => string,
): readonly string[] {
  const ways = [
    () => labels.map((label, index) => cutLabel(label, index, fitLabel)),
    () => labels.map((label, index) => cutLabel(label, index, fitLabelEnds)),
    () => withoutSharedStart(labels).map((label, index) => cutLabel(label, index, fitLabel)),
  ];
  let best: readonly string[] = [];
  let told = 0;
  const different = new Set(labels).size;
  for (const way of ways) {
    const cut = way();
    const count = new Set(cut).size;
    if (count > told) [best, told] = [cut, count];
    if (told === different) break;
  }
  return best;
}

/** Puts an ellipsis in the place of the words with which all labels begin. */
function withoutSharedStart(labels: readonly string[]): readonly string[] {
  const first = (labels[0] ?? '').slice(0, 200);
  let shared = first.length;
  for (const label of labels) {
    while (!label.startsWith(first.slice(0, shared))) shared -= 1;
  }
  const start = first.lastIndexOf(' ', shared - 1) + 1;
  return start === 0 ? labels : labels.map((label) => `…${label.slice(start)}`);
}

/** How far the first label reaches to the left of its category's middle when it is turned. */
export function firstLabelReach(surface: ChartSurface, labels: readonly string[]): number {
  return Math.min(turnedWidthMax, surface.measure((labels[0] ?? '').slice(0, 200), size)) * Math.cos(slope);
}

/** Draws category labels under the line `y`; `centerOf` gives the middle of each category. */
export function drawCategories(
  surface: ChartSurface,
  labels: CategoryLabels,
  centerOf: (index: number) => number,
  y: number,
  color: Color,
): void {
  for (let index = 0; index < labels.texts.length; index += labels.step) {
    const text = labels.texts[index] ?? '';
    if (text === '') continue;
    if (labels.isTurned) {
      surface.text(text, centerOf(index) + 3, y + 9, { size, color, anchor: 'end', rotation: turn });
    } else {
      surface.text(text, centerOf(index), y + 10, { size, color, anchor: 'middle' });
    }
  }
}
