import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { createCircuitBreaker } from '../../../src/tools/http/circuit-breaker.ts';

const { siteFailures, sitePauseMs } = limits.systems;

function openBreaker() {
  let nowMs = 0;
  const breaker = createCircuitBreaker({ now: () => nowMs });
  for (let failure = 0; failure < siteFailures; failure += 1) breaker.report('site', 'failed');
  return {
    breaker,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('a circuit breaker', () => {
  test('lets everybody through until the last of so many failures in a row', () => {
    const breaker = createCircuitBreaker({ now: () => 0 });
    for (let failure = 1; failure < siteFailures; failure += 1) breaker.report('site', 'failed');
    expect(breaker.enter('site')).toBe(true);
    breaker.report('site', 'answered');
    for (let failure = 1; failure < siteFailures; failure += 1) breaker.report('site', 'failed');
    expect(breaker.enter('site')).toBe(true);
    breaker.report('site', 'failed');
    expect(breaker.enter('site')).toBe(false);
    expect(breaker.enter('other')).toBe(true);
  });

  test('lets one try after the pause, and the others wait for what comes of it', () => {
    const { breaker, pass } = openBreaker();
    pass(sitePauseMs - 1);
    expect(breaker.enter('site')).toBe(false);
    pass(1);
    expect([breaker.enter('site'), breaker.enter('site')]).toEqual([true, false]);
    breaker.report('site', 'answered');
    expect([breaker.enter('site'), breaker.enter('site')]).toEqual([true, true]);
  });

  test('pauses again when the trial fails, and lets another try when its caller left', () => {
    const { breaker, pass } = openBreaker();
    pass(sitePauseMs);
    expect(breaker.enter('site')).toBe(true);
    breaker.report('site', 'unknown');
    expect(breaker.enter('site')).toBe(true);
    breaker.report('site', 'failed');
    expect(breaker.enter('site')).toBe(false);
    pass(sitePauseMs);
    expect(breaker.enter('site')).toBe(true);
  });
});
