import { randomFillSync } from 'node:crypto';

/** Unpredictable bytes, so that tests decide them. */
export interface Random {
  bytes(length: number): Uint8Array;
}

export const systemRandom: Random = { bytes: (length) => randomFillSync(new Uint8Array(length)) };
