import { bidiTypes, closingBracket, closingBracketFor } from './bidi-types.ts';

/** More open brackets end the search (BD16). */
const openMax = 63;

/**
 * The bracket pairs of a run sequence (BD16), ordered by their openings; both are indices into its places. Only
 * characters that are still neutral count as brackets.
 */
export function bracketPairs(
  text: string,
  places: readonly number[],
  resolved: Uint32Array,
): [opening: number, closing: number][] {
  const pairs: [opening: number, closing: number][] = [];
  const open: { readonly closing: string; readonly index: number }[] = [];
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? -1;
    if (resolved[place] !== bidiTypes.ON) continue;
    const character = text.charAt(place);
    if (!/\p{Ps}|\p{Pe}/u.test(character)) continue;
    const awaited = closingBracketFor(character);
    if (awaited !== undefined) {
      if (open.length === openMax) break;
      open.push({ closing: awaited, index });
      continue;
    }
    const closing = closingBracket(character);
    if (closing === undefined) continue;
    for (let depth = open.length - 1; depth >= 0; depth--) {
      const opening = open[depth];
      if (opening?.closing !== closing) continue;
      pairs.push([opening.index, index]);
      open.length = depth;
      break;
    }
  }
  return pairs.sort((a, b) => a[0] - b[0]);
}
