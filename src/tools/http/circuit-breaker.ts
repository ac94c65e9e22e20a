import { limits } from '../../domain/limits.ts';
import type { Clock } from '../../ports/clock.ts';

/**
 * Keeps calls away from a site that does not answer: after 5 failures in a row it is left alone for 30 s; then one call
 * tries it, and while that one is under way the others are still kept away.
 */
export interface CircuitBreaker {
  /** Whether the site may be called now. Whoever is let through reports what came of it. */
  enter(site: string): boolean;
  report(site: string, outcome: CallOutcome): void;
}

/** `unknown`: the caller left before there was any. */
export type CallOutcome = 'answered' | 'failed' | 'unknown';

interface SiteState {
  failures: number;
  closedUntilMs: number;
  isTrying: boolean;
}

/** Sites with failures that are remembered; with more, the oldest is forgotten. */
const sitesMax = 10_000;

export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  const states = new Map<string, SiteState>();

  return {
    enter(site) {
      const state = states.get(site);
      if (state === undefined || state.failures < limits.systems.siteFailures) return true;
      if (state.isTrying || clock.now() < state.closedUntilMs) return false;
      state.isTrying = true;
      return true;
    },

    report(site, outcome) {
      if (outcome === 'answered') {
        states.delete(site);
        return;
      }
      const state = states.get(site) ?? { failures: 0, closedUntilMs: 0, isTrying: false };
      state.isTrying = false;
      if (outcome === 'unknown') return;
      state.failures += 1;
      state.closedUntilMs = clock.now() + limits.systems.sitePauseMs;
      states.delete(site);
      states.set(site, state);
      const [oldest] = states.keys();
      if (states.size > sitesMax && oldest !== undefined) states.delete(oldest);
    },
  };
}
