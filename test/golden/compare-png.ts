import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { decodePng, type Picture } from './decode-png.ts';

/** Side of the squares that are compared by their mean: smoothing of edges differs between renderers. */
const blockPixels = 4;
/** Levels by which the mean of a square may differ. */
const levelsMax = 24;

/**
 * Expects a picture to look like a stored one: of the same size, with at most the share `tolerance` of its squares
 * of 4 by 4 pixels in another colour. `UPDATE_GOLDEN=1` stores the picture instead. A picture that differs is left
 * in the system's folder for temporary files, to be looked at.
 */
export function expectPictureLike(goldenPath: string, actual: Uint8Array, tolerance = 0.01): void {
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(goldenPath), { recursive: true });
    writeFileSync(goldenPath, actual);
    return;
  }
  if (!existsSync(goldenPath)) {
    expect.fail(`${goldenPath} does not exist: run the test with UPDATE_GOLDEN=1 and look at what it stores`);
  }
  const difference = pictureDifference(decodePng(readFileSync(goldenPath)), decodePng(actual));
  if (difference <= tolerance) return;
  const path = join(tmpdir(), `actual-${basename(goldenPath)}`);
  writeFileSync(path, actual);
  expect.fail(
    `${(difference * 100).toFixed(2)} % of the picture differs from ${goldenPath} (at most ${tolerance * 100} % may); it lies in ${path}`,
  );
}

/** The share of squares that differ, 0 to 1; 1 when the sizes do. */
export function pictureDifference(one: Picture, other: Picture): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  let count = 0;
  for (let y = 0; y < one.height; y += blockPixels) {
    for (let x = 0; x < one.width; x += blockPixels) {
      count += 1;
      const [red, green, blue] = blockMean(one, x, y);
      const [otherRed, otherGreen, otherBlue] = blockMean(other, x, y);
      const levels = Math.max(
        Math.abs(red - otherRed),
        Math.abs(green - otherGreen),
        Math.abs(blue - otherBlue),
      );
      if (levels > levelsMax) differing += 1;
    }
  }
  return differing / count;
}

function blockMean({ width, height, rgb }: Picture, left: number, top: number): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let y = top; y < Math.min(top + blockPixels, height); y++) {
    for (let x = left; x < Math.min(left + blockPixels, width); x++) {
      const at = (y * width + x) * 3;
      sums[0] += rgb[at] ?? 0;
      sums[1] += rgb[at + 1] ?? 0;
      sums[2] += rgb[at + 2] ?? 0;
      count += 1;
    }
  }
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}
