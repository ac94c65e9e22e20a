import { type Directions, embeddingLevels } from './bidi-levels.ts';
import { hasRightToLeft } from './script.ts';

/** A stretch of a line that runs one way; `start` and `end` (exclusive) are places in the paragraph. */
export interface DirectedRun {
  readonly start: number;
  readonly end: number;
  readonly isRightToLeft: boolean;
}

/** The directions within a paragraph; undefined when all of it runs from left to right. */
export function directionsOf(text: string): Directions | undefined {
  return hasRightToLeft(text) ? embeddingLevels(text) : undefined;
}

/** The runs of one line, `start` to `end` (exclusive, without trailing spaces), from left to right (UAX 9, L2). */
export function visualRuns({ levels, base }: Directions, start: number, end: number): DirectedRun[] {
  const runs: { start: number; end: number; level: number; isRightToLeft: boolean }[] = [];
  let highest = base;
  let last: (typeof runs)[number] | undefined;
  for (let index = start; index < end; index++) {
    const level = levels[index] ?? base;
    if (last?.level === level) {
      last.end = index + 1;
      continue;
    }
    if (level > highest) highest = level;
    last = { start: index, end: index + 1, level, isRightToLeft: level % 2 === 1 };
    runs.push(last);
  }
  for (let level = highest; level > 0; level--) {
    for (let index = 0; index < runs.length; index++) {
      if ((runs[index]?.level ?? 0) < level) continue;
      let stop = index + 1;
      while (stop < runs.length && (runs[stop]?.level ?? 0) >= level) stop++;
      for (let low = index, high = stop - 1; low < high; low++, high--) {
        const [first, second] = [runs[low], runs[high]];
        if (first === undefined || second === undefined) break;
        runs[low] = second;
        runs[high] = first;
      }
      index = stop;
    }
  }
  return runs;
}
