const bytesMin = 16;

/**
 * The times of hits, oldest first, as a queue that costs one to four bytes a hit: each is kept as the distance from
 * the one before it in milliseconds, seven bits to a byte (LEB128), in a ring that grows with its content.
 *
 * A time earlier than the newest one counts as that one: a clock that steps back stands still.
 */
export interface HitLog {
  /** Hits held. */
  readonly size: number;
  /** Hits ever added. */
  readonly added: number;
  /** Time of the newest hit ever added, Unix milliseconds. */
  readonly newestMs: number;
  /** Time of the oldest hit held; meaningless when there is none. */
  readonly oldestMs: number;
  /** Bytes of the ring. */
  readonly bytes: number;
  add(atMs: number): void;
  /** Forgets the hits at or before `endMs`. */
  dropUntil(endMs: number): void;
  /** Returns the time of the hit at `index`, 0 being the oldest held; walks to it. */
  timeAt(index: number): number;
}

export function createHitLog(): HitLog {
  let ring = new Uint8Array(bytesMin);
  let head = 0;
  let length = 0;
  let size = 0;
  let added = 0;
  let oldestMs = 0;
  let newestMs = Number.NEGATIVE_INFINITY;

  function resize(capacity: number): void {
    const grown = new Uint8Array(capacity);
    for (let index = 0; index < length; index += 1) grown[index] = byteAt(index);
    ring = grown;
    head = 0;
  }

  function byteAt(offset: number): number {
    return ring[(head + offset) & (ring.length - 1)] ?? 0;
  }

  function pushByte(byte: number): void {
    if (length === ring.length) resize(ring.length * 2);
    ring[(head + length) & (ring.length - 1)] = byte;
    length += 1;
  }

  function readDistance(offset: number): { distance: number; bytes: number } {
    let distance = 0;
    let scale = 1;
    for (let bytes = 1; ; bytes += 1) {
      const byte = byteAt(offset + bytes - 1);
      distance += (byte & 0x7f) * scale;
      if (byte < 0x80) return { distance, bytes };
      scale *= 128;
    }
  }

  return {
    get size() {
      return size;
    },
    get added() {
      return added;
    },
    get bytes() {
      return ring.length;
    },
    get newestMs() {
      return newestMs;
    },
    get oldestMs() {
      return oldestMs;
    },

    add(atMs) {
      const timeMs = Math.max(atMs, newestMs);
      added += 1;
      size += 1;
      if (size === 1) {
        oldestMs = timeMs;
      } else {
        let rest = timeMs - newestMs;
        for (; rest >= 0x80; rest = Math.floor(rest / 128)) pushByte((rest % 128) | 0x80);
        pushByte(rest);
      }
      newestMs = timeMs;
    },

    dropUntil(endMs) {
      if (newestMs <= endMs) {
        size = 0;
        length = 0;
      }
      while (size > 0 && oldestMs <= endMs) {
        size -= 1;
        const { distance, bytes } = readDistance(0);
        oldestMs += distance;
        head = (head + bytes) & (ring.length - 1);
        length -= bytes;
      }
      if (ring.length > bytesMin && length * 4 < ring.length) {
        resize(Math.max(bytesMin, ring.length / 2));
      }
    },

    timeAt(index) {
      let timeMs = oldestMs;
      let offset = 0;
      for (let step = 0; step < index; step += 1) {
        const { distance, bytes } = readDistance(offset);
        timeMs += distance;
        offset += bytes;
      }
      return timeMs;
    },
  };
}
