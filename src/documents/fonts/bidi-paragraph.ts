import { bidiTypes as types } from './bidi-types.ts';

/** A paragraph as the rules change it; places are those of the text, one a UTF-16 unit. */
export interface BidiParagraph {
  readonly text: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The level of the paragraph itself. */
  readonly base: number;
  readonly original: Uint32Array;
  /** The types as the rules have changed them. */
  readonly resolved: Uint32Array;
  readonly levels: Uint8Array;
  /** For an isolate initiator its PDI, and the other way round (BD9); -1: none. */
  readonly matches: Int32Array;
}

export const isolateInitiators = types.LRI | types.RLI | types.FSI;
/** What rule X9 removes. */
export const removed = types.BN | types.LRE | types.RLE | types.LRO | types.RLO | types.PDF;
