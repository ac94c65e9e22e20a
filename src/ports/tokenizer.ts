/** Counts tokens as language models do. */
export interface Tokenizer {
  /**
   * Returns the number of tokens of `text`, or a number above `upTo` as soon as it is known to be above. Any text will
   * do; long ones are counted in slices, between which the event loop runs.
   */
  count(text: string, upTo?: number): Promise<number>;
}
