import { extendsCluster } from './script.ts';

/** Called for each cluster, in order: its text, and whether its neighbours' strokes run on into it (Arabic). */
export type ClusterVisitor = (text: string, joinsBefore: boolean, joinsAfter: boolean) => void;

/** Longer sequences are cut: the parts of one glyph must lie within 32,767 font units. */
const clusterUnitsMax = 32;

/**
 * Cuts a text into syllables: a sign with its marks, consonants tied by a virama, a pair of regional indicators,
 * lam with its alef. Such pieces come again and again, so that each needs shaping only once.
 */
export function forEachCluster(text: string, visit: ClusterVisitor): void {
  let start = 0;
  let pending = '';
  let pendingJoins = noJoining;
  let pendingJoinsBefore = false;
  while (start < text.length) {
    const end = clusterEnd(text, start);
    const cluster = start === 0 && end === text.length ? text : text.slice(start, end);
    const joins = joiningOf(cluster);
    const joined = joins.before && pendingJoins.after;
    if (pending !== '') visit(pending, pendingJoinsBefore, joined);
    pending = cluster;
    pendingJoins = joins;
    pendingJoinsBefore = joined;
    start = end;
  }
  if (pending !== '') visit(pending, pendingJoinsBefore, false);
}

function clusterEnd(text: string, start: number): number {
  let previous = text.codePointAt(start) ?? 0;
  let index = start + (previous > 0xffff ? 2 : 1);
  while (index < text.length && index - start < clusterUnitsMax) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (!isTied(previous, codePoint, text.charCodeAt(start), index - start)) break;
    previous = codePoint;
    index += codePoint > 0xffff ? 2 : 1;
  }
  return index;
}

const viramas = new Set([
  0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d4d, 0x0dca, 0x1039, 0x17d2,
]);

function isTied(previous: number, codePoint: number, first: number, length: number): boolean {
  if (extendsCluster(codePoint) || previous === 0x200d || viramas.has(previous)) return true;
  // Thai and Lao sara am: half of it belongs over the consonant.
  if (codePoint === 0x0e33 || codePoint === 0x0eb3) return true;
  if (isRegional(previous) && isRegional(codePoint)) return length === 2;
  if (isJamo(previous) && isJamo(codePoint)) return jamoRank(codePoint) > jamoRank(previous);
  return first === 0x0644 && isAlef(codePoint);
}

function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}

function isJamo(codePoint: number): boolean {
  return codePoint >= 0x1100 && codePoint <= 0x11ff;
}

/** Leading consonant, vowel, trailing consonant. */
function jamoRank(codePoint: number): number {
  if (codePoint < 0x1160) return 0;
  return codePoint < 0x11a8 ? 1 : 2;
}

function isAlef(codePoint: number): boolean {
  return codePoint === 0x0627 || codePoint === 0x0622 || codePoint === 0x0623 || codePoint === 0x0625;
}

interface Joining {
  readonly before: boolean;
  readonly after: boolean;
}

const noJoining: Joining = { before: false, after: false };
const joinsBefore: Joining = { before: true, after: false };
const joinsBoth: Joining = { before: true, after: true };

/** Arabic letters that join only to the one before (Joining_Type R of ArabicShaping.txt). */
const rightJoining =
  /[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779]/;
const notJoining =
  /[\u0600-\u061f\u0621\u0660-\u066d\u0674\u06d4\u06dd\u06de\u06e9\u06f0-\u06f9\u0700-\u074f]/;

/** How each sign from U+0600 to U+077F joins. */
const joinings: readonly Joining[] = Array.from({ length: 0x180 }, (_, index) => {
  const sign = String.fromCharCode(0x0600 + index);
  if (notJoining.test(sign)) return noJoining;
  return rightJoining.test(sign) ? joinsBefore : joinsBoth;
});

function joiningOf(cluster: string): Joining {
  const first = cluster.charCodeAt(0);
  if (first === 0x200d) return joinsBoth;
  const joining = first >= 0x0600 ? joinings[first - 0x0600] : undefined;
  if (joining === undefined) return noJoining;
  if (!joining.after || cluster.length === 1) return joining;
  if (cluster.endsWith('\u200c')) return joinsBefore;
  return first === 0x0644 && /[\u0622\u0623\u0625\u0627]/.test(cluster) ? joinsBefore : joining;
}
