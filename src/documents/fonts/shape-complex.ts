import type { GlyphRun as FontkitRun } from 'fontkit';
import { type Cluster, clustersOf } from './clusters.ts';
import type { FontFace } from './font-face.ts';
import { isInvisible } from './script.ts';
import type { GlyphRun } from './typesetter.ts';

/** How much one document may ask of the shaping engine, and whether it asked for more. */
export interface ShapingBudget {
  readonly clusters: Set<string>;
  isExceeded: boolean;
}

/** Different clusters of a document that are shaped. Long texts have 2,000 to 5,000; each costs about 0.1 ms. */
const shapedClustersMax = 6_000;
const cacheEntriesMax = 20_000;

interface ShapedCluster {
  readonly glyphs: readonly number[];
  readonly texts: readonly string[];
  readonly adjustments: readonly number[];
  readonly offsets: readonly (readonly [number, number])[];
  readonly width: number;
  /** Whether the glyphs' texts, in reading order, are the cluster. */
  readonly isFaithful: boolean;
}

const shaped = new Map<string, ShapedCluster>();
const zeroWidthJoiner = '\u200d';

/**
 * Shapes a text of one face, cluster by cluster, so that letters join, marks attach and syllables reorder.
 *
 * What goes beyond the budget is set letter by letter: readable with an effort, and never slow.
 */
export function shapeComplex(
  text: string,
  face: FontFace,
  isRightToLeft: boolean,
  budget: ShapingBudget,
): GlyphRun {
  const clusters = clustersOf(text);
  if (isRightToLeft) clusters.reverse();
  const glyphs: number[] = [];
  const texts: string[] = [];
  const adjustments: number[] = [];
  const offsets: (readonly [number, number])[] = [];
  let width = 0;
  let isFaithful = true;
  for (const cluster of clusters) {
    const part = shapeCluster(cluster, face, isRightToLeft, budget);
    glyphs.push(...part.glyphs);
    texts.push(...part.texts);
    adjustments.push(...part.adjustments);
    offsets.push(...part.offsets);
    width += part.width;
    isFaithful &&= part.isFaithful;
  }
  return { face, glyphs, texts, adjustments, offsets, width, ...(isFaithful ? {} : { actualText: text }) };
}

function shapeCluster(
  cluster: Cluster,
  face: FontFace,
  isRightToLeft: boolean,
  budget: ShapingBudget,
): ShapedCluster {
  const key = `${face.id}${isRightToLeft ? '<' : '>'}${cluster.joinsBefore ? 'b' : ''}${cluster.joinsAfter ? 'a' : ''}${cluster.text}`;
  if (!budget.clusters.has(key)) {
    // Counted by document, not by what the worker has met before: the same spec must give the same bytes.
    if (budget.clusters.size >= shapedClustersMax) {
      budget.isExceeded = true;
      return setLetterByLetter(cluster.text, face, isRightToLeft);
    }
    budget.clusters.add(key);
  }
  const known = shaped.get(key);
  if (known !== undefined) return known;
  const fresh = layOut(cluster, face, isRightToLeft);
  if (shaped.size >= cacheEntriesMax) shaped.clear();
  shaped.set(key, fresh);
  return fresh;
}

function layOut(cluster: Cluster, face: FontFace, isRightToLeft: boolean): ShapedCluster {
  const before = cluster.joinsBefore ? zeroWidthJoiner : '';
  const after = cluster.joinsAfter ? zeroWidthJoiner : '';
  let run: FontkitRun;
  try {
    // fontkit keeps the text of a glyph from the first time it made the glyph: here each cluster needs its own.
    Object.assign(face.font, { _glyphs: {} });
    const direction = isRightToLeft ? 'rtl' : 'ltr';
    run = face.font.layout(before + cluster.text + after, undefined, undefined, undefined, direction);
  } catch {
    // fontkit 2.0.4 fails on marks whose anchors a font leaves out; the letters are still worth showing.
    return setLetterByLetter(cluster.text, face, isRightToLeft);
  }
  const glyphs: number[] = [];
  const texts: string[] = [];
  const adjustments: number[] = [];
  const offsets: [number, number][] = [];
  let width = 0;
  run.glyphs.forEach((glyph, index) => {
    const text = String.fromCodePoint(...glyph.codePoints);
    const position = run.positions[index];
    if (text === zeroWidthJoiner || position === undefined) return;
    const advance = position.xAdvance * face.scale;
    glyphs.push(glyph.id);
    texts.push(text);
    adjustments.push(advance - face.advanceOf(glyph.id));
    offsets.push([position.xOffset * face.scale, position.yOffset * face.scale]);
    width += advance;
  });
  const inOrder = isRightToLeft ? texts.toReversed() : texts;
  return { glyphs, texts, adjustments, offsets, width, isFaithful: inOrder.join('') === cluster.text };
}

function setLetterByLetter(text: string, face: FontFace, isRightToLeft: boolean): ShapedCluster {
  const texts = Array.from(text).filter((letter) => !isInvisible(letter.codePointAt(0) ?? 0));
  if (isRightToLeft) texts.reverse();
  const glyphs = texts.map((letter) => face.glyphOf(letter.codePointAt(0) ?? 0));
  const nothing = glyphs.map(() => 0);
  return {
    glyphs,
    texts,
    adjustments: nothing,
    offsets: nothing.map(() => [0, 0] as const),
    width: glyphs.reduce((sum, glyph) => sum + face.advanceOf(glyph), 0),
    isFaithful: true,
  };
}
