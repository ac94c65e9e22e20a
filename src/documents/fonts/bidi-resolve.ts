import { bracketPairs } from './bidi-brackets.ts';
import { type BidiParagraph, isolateInitiators, removed } from './bidi-paragraph.ts';
import { bidiTypes as types } from './bidi-types.ts';

/** An isolating run sequence (BD13): the places of its characters, and the types that stand at its two ends. */
interface RunSequence {
  readonly places: readonly number[];
  readonly before: number;
  readonly after: number;
  /** L or R, as its level is even or odd. */
  readonly direction: number;
}

/** Rules X10 to I2: what the characters themselves say about their levels. */
export function resolveImplicitLevels(paragraph: BidiParagraph): void {
  const { original, resolved, levels, start, end } = paragraph;
  for (const sequence of runSequences(paragraph)) {
    resolveWeak(sequence, resolved);
    resolveBrackets(sequence, paragraph);
    resolveNeutral(sequence, resolved);
  }
  for (let index = start; index < end; index++) {
    if (((original[index] ?? 0) & removed) !== 0) continue;
    const level = levels[index] ?? 0;
    const type = resolved[index] ?? 0;
    if (level % 2 === 1) levels[index] = level + (type === types.R ? 0 : 1);
    else if (type === types.R) levels[index] = level + 1;
    else if ((type & (types.AN | types.EN)) !== 0) levels[index] = level + 2;
  }
}

/** Level runs, joined where an isolate initiator ends one and its PDI begins another. */
function runSequences(paragraph: BidiParagraph): RunSequence[] {
  const { original, levels, matches, start, end, base } = paragraph;
  const runs: number[][] = [];
  const runFrom = new Map<number, number[]>();
  const neighbours = new Map<number[], readonly [before: number, after: number]>();
  let run: number[] | undefined;
  let level = -1;
  let before = base;
  for (let index = start; index < end; index++) {
    if (((original[index] ?? 0) & removed) !== 0) continue;
    const own = levels[index] ?? 0;
    if (run === undefined || own !== level) {
      if (run !== undefined) neighbours.set(run, [before, own]);
      before = run === undefined ? base : level;
      run = [];
      runs.push(run);
      runFrom.set(index, run);
      level = own;
    }
    run.push(index);
  }
  if (run !== undefined) neighbours.set(run, [before, base]);

  const sequences: RunSequence[] = [];
  for (const first of runs) {
    const place = first[0] ?? 0;
    if (original[place] === types.PDI && (matches[place] ?? -1) >= 0) continue;
    const places: number[] = [];
    let last: number[] | undefined = first;
    let next: number[] | undefined = first;
    while (next !== undefined) {
      for (const index of next) places.push(index);
      last = next;
      const initiator: number = last.at(-1) ?? 0;
      const isInitiator: boolean = ((original[initiator] ?? 0) & isolateInitiators) !== 0;
      next = isInitiator ? runFrom.get(matches[initiator] ?? -1) : undefined;
    }
    const own = levels[place] ?? 0;
    const endsOpen = ((original[places.at(-1) ?? 0] ?? 0) & isolateInitiators) !== 0;
    const [levelBefore] = neighbours.get(first) ?? [base];
    const levelAfter = endsOpen ? base : (neighbours.get(last)?.[1] ?? base);
    sequences.push({
      places,
      before: directionOf(Math.max(own, levelBefore)),
      after: directionOf(Math.max(own, levelAfter)),
      direction: directionOf(own),
    });
  }
  return sequences;
}

function directionOf(level: number): number {
  return level % 2 === 1 ? types.R : types.L;
}

/** Rules W1 to W7. */
function resolveWeak({ places, before }: RunSequence, resolved: Uint32Array): void {
  const typeAt = (index: number): number => resolved[places[index] ?? -1] ?? 0;
  const setType = (index: number, type: number): void => {
    resolved[places[index] ?? -1] = type;
  };
  let previous = before;
  let strong = before;
  for (let index = 0; index < places.length; index++) {
    if (typeAt(index) === types.NSM) {
      const isIsolate = (previous & (isolateInitiators | types.PDI)) !== 0;
      setType(index, isIsolate ? types.ON : previous);
    }
    previous = typeAt(index);
    if ((previous & (types.L | types.R | types.AL)) !== 0) strong = previous;
    if (previous === types.EN && strong === types.AL) setType(index, types.AN);
  }
  for (let index = 0; index < places.length; index++) {
    const type = typeAt(index);
    if (type === types.AL) setType(index, types.R);
    if ((type & (types.ES | types.CS)) === 0 || index === 0) continue;
    const neighbour = typeAt(index - 1);
    const wanted = type === types.ES ? types.EN : types.EN | types.AN;
    if ((neighbour & wanted) !== 0 && typeAt(index + 1) === neighbour) setType(index, neighbour);
  }
  for (let index = 0; index < places.length; index++) {
    if (typeAt(index) !== types.ET) continue;
    let stop = index;
    while (typeAt(stop) === types.ET) stop++;
    const isNumber = typeAt(index - 1) === types.EN || typeAt(stop) === types.EN;
    for (; index < stop; index++) setType(index, isNumber ? types.EN : types.ON);
    index = stop - 1;
  }
  strong = before;
  for (let index = 0; index < places.length; index++) {
    const type = typeAt(index);
    if ((type & (types.ES | types.CS)) !== 0) setType(index, types.ON);
    if ((type & (types.L | types.R)) !== 0) strong = type;
    if (type === types.EN && strong === types.L) setType(index, types.L);
  }
}

const rightToLeft = types.R | types.EN | types.AN;
const neutral = types.B | types.S | types.WS | types.ON | isolateInitiators | types.PDI;

/** L or R where a type is strong for the neutral rules, else zero. */
function strongOf(type: number): number {
  if ((type & rightToLeft) !== 0) return types.R;
  return type & types.L;
}

/** Rule N0: brackets take the direction of what they enclose. */
function resolveBrackets(sequence: RunSequence, { text, original, resolved }: BidiParagraph): void {
  const { places, direction, before } = sequence;
  const strongAt = (index: number): number => strongOf(resolved[places[index] ?? -1] ?? 0);
  for (const [opening, closing] of bracketPairs(text, places, resolved)) {
    let inner = 0;
    for (let index = opening + 1; index < closing && inner !== direction; index++) {
      inner = strongAt(index) || inner;
    }
    if (inner === 0) continue;
    if (inner !== direction) {
      let context = opening - 1;
      while (context >= 0 && strongAt(context) === 0) context--;
      inner = context < 0 ? before : strongAt(context);
    }
    for (const bracket of [opening, closing]) {
      resolved[places[bracket] ?? -1] = inner;
      for (let mark = bracket + 1; original[places[mark] ?? -1] === types.NSM; mark++) {
        resolved[places[mark] ?? -1] = inner;
      }
    }
  }
}

/** Rules N1 and N2. */
function resolveNeutral({ places, before, after, direction }: RunSequence, resolved: Uint32Array): void {
  let previous = before;
  for (let index = 0; index < places.length; index++) {
    const type = resolved[places[index] ?? -1] ?? 0;
    if ((type & neutral) === 0) {
      previous = strongOf(type);
      continue;
    }
    let stop = index;
    while (stop < places.length && ((resolved[places[stop] ?? -1] ?? 0) & neutral) !== 0) stop++;
    const next = stop < places.length ? strongOf(resolved[places[stop] ?? -1] ?? 0) : after;
    for (; index < stop; index++) resolved[places[index] ?? -1] = previous === next ? previous : direction;
    index = stop - 1;
  }
}
