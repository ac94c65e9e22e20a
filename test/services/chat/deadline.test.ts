import { describe, expect, test, vi } from 'vitest';
import { startDeadline } from '../../../src/services/chat/deadline.ts';

describe('a deadline', () => {
  test('aborts with the reason of its caller', () => {
    const caller = new AbortController();
    const deadline = startDeadline(caller.signal, 60_000);
    caller.abort(new Error('gone'));
    expect(deadline.signal.reason).toEqual(new Error('gone'));
    expect(deadline.isOver).toBe(false);
    deadline.end();
  });

  test('has aborted already when its caller has', () => {
    const deadline = startDeadline(AbortSignal.abort(new Error('gone')), 60_000);
    expect(deadline.signal.reason).toEqual(new Error('gone'));
    deadline.end();
  });

  test('aborts when its time is over, and says so', () => {
    vi.useFakeTimers();
    try {
      const deadline = startDeadline(new AbortController().signal, 1_000);
      vi.advanceTimersByTime(999);
      expect(deadline.signal.aborted).toBe(false);
      vi.advanceTimersByTime(1);
      expect(deadline.signal.aborted).toBe(true);
      expect(deadline.isOver).toBe(true);
      deadline.end();
    } finally {
      vi.useRealTimers();
    }
  });

  test('leaves no timer and no listener behind once it has ended', () => {
    vi.useFakeTimers();
    try {
      const caller = new AbortController();
      const deadline = startDeadline(caller.signal, 1_000);
      deadline.end();
      expect(vi.getTimerCount()).toBe(0);
      caller.abort();
      expect(deadline.signal.aborted).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});
