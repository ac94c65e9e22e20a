import { extendsCluster } from './script.ts';

/** A piece of text that is shaped by itself: what stands around it shows only in how it joins. */
export interface Cluster {
  readonly text: string;
  /** Whether its neighbours' strokes run on into it (Arabic). */
  readonly joinsBefore: boolean;
  readonly joinsAfter: boolean;
}

const clusterUnitsMax = 48;

/**
 * Cuts a text into syllables: a sign with its marks, consonants tied by a virama, a pair of regional indicators,
 * lam with its alef. Such pieces come again and again, so that each needs shaping only once.
 */
export function clustersOf(text: string): Cluster[] {
  const pieces: string[] = [];
  let start = 0;
  let previous = text.codePointAt(0) ?? 0;
  let index = previous > 0xffff ? 2 : 1;
  while (index < text.length) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (index - start >= clusterUnitsMax || !isTied(previous, codePoint, text.slice(start, index))) {
      pieces.push(text.slice(start, index));
      start = index;
    }
    previous = codePoint;
    index += codePoint > 0xffff ? 2 : 1;
  }
  pieces.push(text.slice(start));
  const joins = pieces.map(joiningOf);
  return pieces.map((piece, at) => ({
    text: piece,
    joinsBefore: joins[at]?.before === true && joins[at - 1]?.after === true,
    joinsAfter: joins[at]?.after === true && joins[at + 1]?.before === true,
  }));
}

const viramas = new Set([
  0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d4d, 0x0dca, 0x1039, 0x17d2,
]);

function isTied(previous: number, codePoint: number, cluster: string): boolean {
  if (extendsCluster(codePoint) || previous === 0x200d || viramas.has(previous)) return true;
  // Thai and Lao sara am: half of it belongs over the consonant.
  if (codePoint === 0x0e33 || codePoint === 0x0eb3) return true;
  if (isRegional(previous) && isRegional(codePoint)) return cluster.length === 2;
  if (isJamo(previous) && isJamo(codePoint)) return jamoRank(codePoint) > jamoRank(previous);
  return cluster.charCodeAt(0) === 0x0644 && isAlef(codePoint);
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

/** Arabic letters that join only to the one before (Joining_Type R of ArabicShaping.txt). */
const joinsOnlyBefore =
  /[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779]/;
const joinsNot = /[\u0600-\u061f\u0621\u0660-\u066d\u0674\u06d4\u06dd\u06de\u06e9\u06f0-\u06f9]/;

function joiningOf(cluster: string): { readonly before: boolean; readonly after: boolean } {
  const first = cluster.charCodeAt(0);
  const isArabic = (first >= 0x0600 && first <= 0x06ff) || (first >= 0x0750 && first <= 0x077f);
  if (first === 0x200d) return { before: true, after: true };
  if (!isArabic || joinsNot.test(cluster.charAt(0))) return { before: false, after: false };
  const isLamAlef = first === 0x0644 && Array.from(cluster).some((sign) => isAlef(sign.charCodeAt(0)));
  return {
    before: true,
    after: !isLamAlef && !cluster.endsWith('\u200c') && !joinsOnlyBefore.test(cluster.charAt(0)),
  };
}
