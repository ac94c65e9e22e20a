import type { RateCounter, RateStep, RateVerdict, RateWindow } from '../../ports/counters.ts';
import { createHitLog, type HitLog } from './hit-log.ts';

/** Idle keys looked for at each hit. */
const sweepSteps = 2;

interface Entry {
  readonly log: HitLog;
  windowMs: number;
  /** The answer of the last walk for `releaseAtMs`, which stays right until a hit is added. */
  walk: { readonly added: number; readonly limit: number; readonly timeMs: number } | undefined;
}

/**
 * Returns a counter of one process: an exact sliding window, to the millisecond.
 *
 * A hit at time t is in the window until t + windowMs, that moment excluded. Memory: the allowed hits of the last
 * window, one to four bytes each, and nothing for a key whose hits are all older.
 */
export function createMemoryRateCounter(): RateCounter & { readonly keys: number } {
  const entries = new Map<string, Entry>();
  let sweep = entries.entries();

  function forgetIdle(nowMs: number): void {
    for (let step = 0; step < sweepSteps; step += 1) {
      const next = sweep.next();
      if (next.done === true) {
        sweep = entries.entries();
        return;
      }
      const [key, { log, windowMs }] = next.value;
      if (log.newestMs + windowMs <= nowMs) entries.delete(key);
    }
  }

  function hit(key: string, window: RateWindow, nowMs: number): RateVerdict {
    forgetIdle(nowMs);
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { log: createHitLog(), windowMs: window.windowMs, walk: undefined };
      entries.set(key, entry);
    }
    entry.windowMs = window.windowMs;
    entry.log.dropUntil(nowMs - window.windowMs);
    const allowed = entry.log.size < window.limit;
    if (allowed) entry.log.add(nowMs);
    return { allowed, used: entry.log.size, resetAtMs: releaseAtMs(entry, window, nowMs) };
  }

  function peek(key: string, window: RateWindow, nowMs: number): RateVerdict {
    const entry = entries.get(key);
    if (entry === undefined) return { allowed: window.limit > 0, used: 0, resetAtMs: nowMs };
    entry.log.dropUntil(nowMs - window.windowMs);
    const used = entry.log.size;
    return { allowed: used < window.limit, used, resetAtMs: releaseAtMs(entry, window, nowMs) };
  }

  function takeSteps(steps: readonly RateStep[], nowMs: number): readonly RateVerdict[] {
    const verdicts: RateVerdict[] = [];
    for (const { kind, key, window } of steps) {
      const verdict = kind === 'hit' ? hit(key, window, nowMs) : peek(key, window, nowMs);
      verdicts.push(verdict);
      if (!verdict.allowed) break;
    }
    return verdicts;
  }

  return {
    /** Keys held in memory. */
    get keys() {
      return entries.size;
    },
    hit: (key, window, nowMs) => Promise.resolve(hit(key, window, nowMs)),
    peek: (key, window, nowMs) => Promise.resolve(peek(key, window, nowMs)),
    takeSteps: (steps, nowMs) => Promise.resolve(takeSteps(steps, nowMs)),
    async close() {
      entries.clear();
      sweep = entries.entries();
    },
  };
}

/**
 * When the next hit leaves the window; where more are held than a lowered limit allows, when a place is free again; now
 * where none is held.
 */
function releaseAtMs(entry: Entry, { limit, windowMs }: RateWindow, nowMs: number): number {
  const { log } = entry;
  if (log.size === 0) return nowMs;
  const index = Math.max(0, log.size - Math.max(limit, 1));
  if (index === 0) return log.oldestMs + windowMs;
  if (entry.walk?.added !== log.added || entry.walk.limit !== limit) {
    entry.walk = { added: log.added, limit, timeMs: log.timeAt(index) };
  }
  return entry.walk.timeMs + windowMs;
}
