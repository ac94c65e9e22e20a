import { randomFillSync } from 'node:crypto';

/** Unpredictable bytes, so that tests decide them. */
export interface Random {
  bytes(length: number): Uint8Array;
}

const pool = new Uint8Array(4_096);
let used = pool.length;

/** The system's generator, asked for many bytes at a time; none is given out twice. */
export const systemRandom: Random = {
  bytes(length) {
    if (length > pool.length) return randomFillSync(new Uint8Array(length));
    if (used + length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  },
};
