import { forEachCluster } from './clusters.ts';
import type { FontFace, Glyph } from './font-face.ts';
import type { GlyphRun } from './glyph-run.ts';
import { isInvisible } from './script.ts';
import type { PlacedGlyph } from './shaping-engine.ts';

/**
 * Shapes texts of one face, cluster by cluster, so that letters join, marks attach and syllables reorder.
 *
 * In a TrueType face each syllable becomes one glyph that carries the syllable's text, so that any reader extracts
 * it whole and in order.
 */
export interface ClusterShaper {
  shape(text: string, face: FontFace, isRightToLeft: boolean): GlyphRun;
  /** Thousandths of an em. */
  measure(text: string, face: FontFace, isRightToLeft: boolean): number;
  /** Whether there were more different clusters than one document may have shaped. */
  readonly isExceeded: boolean;
}

/**
 * Different clusters of a document that are shaped; the rest is set letter by letter: readable with an effort, and
 * never slow. Long texts have 2,000 to 5,000; each costs 0.01 to 0.1 ms.
 */
const shapedClustersMax = 6_000;
const cacheEntriesMax = 20_000;

interface Cluster {
  readonly text: string;
  readonly joinsBefore: boolean;
  readonly joinsAfter: boolean;
  readonly isRightToLeft: boolean;
}

/** The glyphs of one cluster, from left to right. */
interface ShapedCluster {
  readonly glyphs: readonly Glyph[];
  readonly texts: readonly string[];
  readonly adjustments: readonly number[];
  readonly offsets: readonly (readonly [x: number, y: number])[];
  readonly width: number;
  /** Whether the glyphs' texts give the cluster back. */
  readonly isFaithful: boolean;
}

const shaped = new Map<string, ShapedCluster>();
const zeroWidthJoiner = '\u200d';

/** A shaper for one document; what it shapes is kept for the worker's next documents. */
export function createClusterShaper(): ClusterShaper {
  const met = new Map<FontFace, Map<string, ShapedCluster>[]>();
  let metCount = 0;
  let isExceeded = false;

  const clusterOf = (
    known: Map<string, ShapedCluster>[],
    face: FontFace,
    text: string,
    joinsBefore: boolean,
    joinsAfter: boolean,
    isRightToLeft: boolean,
  ): ShapedCluster => {
    const kind = (joinsBefore ? 1 : 0) + (joinsAfter ? 2 : 0) + (isRightToLeft ? 4 : 0);
    known[kind] ??= new Map();
    const clusters = known[kind];
    let cluster = clusters.get(text);
    if (cluster !== undefined) return cluster;
    // Counted by document, not by what the worker has met before: the same spec must give the same bytes.
    if (metCount >= shapedClustersMax) {
      isExceeded = true;
      cluster = letterByLetter(text, face, isRightToLeft);
    } else {
      metCount += 1;
      const key = `${face.id} ${kind} ${text}`;
      cluster = shapeCluster({ text, joinsBefore, joinsAfter, isRightToLeft }, face, key);
    }
    clusters.set(text, cluster);
    return cluster;
  };
  const visit = (
    text: string,
    face: FontFace,
    isRightToLeft: boolean,
    each: (cluster: ShapedCluster) => void,
  ): void => {
    let known = met.get(face);
    if (known === undefined) {
      known = [];
      met.set(face, known);
    }
    const clusters = known;
    forEachCluster(text, (piece, joinsBefore, joinsAfter) =>
      each(clusterOf(clusters, face, piece, joinsBefore, joinsAfter, isRightToLeft)),
    );
  };
  return {
    shape(text, face, isRightToLeft) {
      const clusters: ShapedCluster[] = [];
      visit(text, face, isRightToLeft, (cluster) => clusters.push(cluster));
      if (isRightToLeft) clusters.reverse();
      return joinClusters(clusters, text, face);
    },
    measure(text, face, isRightToLeft) {
      let width = 0;
      visit(text, face, isRightToLeft, (cluster) => {
        width += cluster.width;
      });
      return width;
    },
    get isExceeded() {
      return isExceeded;
    },
  };
}

function joinClusters(clusters: readonly ShapedCluster[], text: string, face: FontFace): GlyphRun {
  const glyphs: Glyph[] = [];
  const texts: string[] = [];
  let width = 0;
  let isFaithful = true;
  for (const cluster of clusters) {
    for (const glyph of cluster.glyphs) glyphs.push(glyph);
    for (const piece of cluster.texts) texts.push(piece);
    width += cluster.width;
    isFaithful &&= cluster.isFaithful;
  }
  if (face.isTrueType) return { face, glyphs, texts, width };
  return {
    face,
    glyphs,
    texts,
    width,
    adjustments: clusters.flatMap(({ adjustments }) => adjustments),
    offsets: clusters.flatMap(({ offsets }) => offsets),
    ...(isFaithful ? {} : { actualText: text }),
  };
}

function shapeCluster(cluster: Cluster, face: FontFace, key: string): ShapedCluster {
  const known = shaped.get(key);
  if (known !== undefined) return known;
  const placed = layOut(cluster, face);
  let fresh: ShapedCluster;
  if (!face.isTrueType) fresh = asGlyphs(placed, cluster, face);
  else if (fitsGlyph(placed)) fresh = asComposites(placed, cluster, face, key);
  else fresh = letterByLetter(cluster.text, face, cluster.isRightToLeft);
  if (shaped.size >= cacheEntriesMax) shaped.clear();
  shaped.set(key, fresh);
  return fresh;
}

/** Asks the shaping engine; joiners beside a cluster stand for the neighbours that its strokes run on to. */
function layOut({ text, joinsBefore, joinsAfter, isRightToLeft }: Cluster, face: FontFace): PlacedGlyph[] {
  const before = joinsBefore ? zeroWidthJoiner : '';
  const after = joinsAfter ? zeroWidthJoiner : '';
  return face.shape(before + text + after, before.length, before.length + text.length, isRightToLeft);
}

/** Font units that leave room for an outline below 32,767, the farthest that a glyph reaches. */
const reachMax = 24_000;

function fitsGlyph(placed: readonly PlacedGlyph[]): boolean {
  let pen = 0;
  for (const { advance, x, y } of placed) {
    if (Math.abs(pen + x) > reachMax || Math.abs(y) > reachMax) return false;
    pen += advance;
  }
  return pen >= 0 && pen <= reachMax;
}

function asComposites(
  placed: readonly PlacedGlyph[],
  cluster: Cluster,
  face: FontFace,
  key: string,
): ShapedCluster {
  const groups = cluster.isRightToLeft ? groupByText(placed) : [placed];
  const composites = groups.map((group, index) => compose(group, face, `${key}#${index}`));
  return {
    glyphs: composites.map(({ glyph }) => glyph),
    texts: cluster.isRightToLeft
      ? groups.map((group) => visibleText(group.map(({ text }) => text).join('')))
      : [cluster.text],
    width: composites.reduce((sum, { width }) => sum + width, 0),
    adjustments: [],
    offsets: [],
    isFaithful: true,
  };
}

/**
 * Glyphs with a text and those without one beside them. From right to left each letter stays a glyph of its own:
 * readers that turn such text round turn the letters within a glyph round as well.
 */
function groupByText(placed: readonly PlacedGlyph[]): PlacedGlyph[][] {
  const groups: PlacedGlyph[][] = [];
  let pending: PlacedGlyph[] = [];
  for (const glyph of placed) {
    pending.push(glyph);
    if (glyph.text === '') continue;
    groups.push(pending);
    pending = [];
  }
  if (pending.length > 0) groups.push([...(groups.pop() ?? []), ...pending]);
  return groups;
}

function compose(
  group: readonly PlacedGlyph[],
  face: FontFace,
  key: string,
): { readonly glyph: Glyph; readonly width: number } {
  const parts: { glyph: number; x: number; y: number }[] = [];
  let pen = 0;
  for (const { glyph, advance, x, y } of group) {
    parts.push({ glyph, x: pen + x, y });
    pen += advance;
  }
  const width = pen * face.scale;
  const [only] = parts;
  const isPlain =
    only !== undefined &&
    parts.length === 1 &&
    only.x === 0 &&
    only.y === 0 &&
    Math.abs(face.advanceOf(only.glyph) - width) < 0.01;
  return { glyph: isPlain ? only.glyph : { key, parts, advance: width }, width };
}

function asGlyphs(placed: readonly PlacedGlyph[], cluster: Cluster, face: FontFace): ShapedCluster {
  const texts = placed.map(({ text }) => text);
  const inOrder = cluster.isRightToLeft ? texts.toReversed() : texts;
  return {
    glyphs: placed.map(({ glyph }) => glyph),
    texts,
    adjustments: placed.map(({ glyph, advance }) => advance * face.scale - face.advanceOf(glyph)),
    offsets: placed.map(({ x, y }) => [x * face.scale, y * face.scale] as const),
    width: placed.reduce((sum, { advance }) => sum + advance, 0) * face.scale,
    isFaithful: !texts.includes('') && inOrder.join('') === cluster.text,
  };
}

/** Joiners and the like would move when a reader turns a glyph's letters round. */
function visibleText(text: string): string {
  return text.length < 2 ? text : visibleLetters(text).join('');
}

function visibleLetters(text: string): string[] {
  return Array.from(text).filter((letter) => !isInvisible(letter.codePointAt(0) ?? 0));
}

function letterByLetter(text: string, face: FontFace, isRightToLeft: boolean): ShapedCluster {
  const texts = visibleLetters(text);
  if (isRightToLeft) texts.reverse();
  const glyphs = texts.map((letter) => face.glyphOf(letter.codePointAt(0) ?? 0));
  return {
    glyphs,
    texts,
    adjustments: glyphs.map(() => 0),
    offsets: glyphs.map(() => [0, 0] as const),
    width: glyphs.reduce((sum, glyph) => sum + face.advanceOf(glyph), 0),
    isFaithful: true,
  };
}
