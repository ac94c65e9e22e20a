import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeaderMap } from '../../src/http/header-map.ts';

describe('a header map', () => {
  test('reads a request as Node has it', () => {
    const headers = new HeaderMap({
      ':path': '/',
      'x-a': '1',
      'set-cookie': ['a=1', 'b=2'],
      'x-b': undefined,
    });
    expect(headers.get('X-A')).toBe('1');
    expect(headers.get('set-cookie')).toBe('a=1, b=2');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([headers.has(':path'), headers.has('x-b'), headers.has('constructor')]).toEqual([
      false,
      false,
      false,
    ]);
    expect([...headers]).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-a', '1'],
    ]);
  });

  test('is copied from by the standard one', () => {
    expect(new Headers(new HeaderMap({ 'x-a': '1' })).get('x-a')).toBe('1');
  });

  test('does as the Headers of the Fetch standard do', () => {
    const name = fc.constantFrom('x-a', 'X-A', 'x-b', 'Set-Cookie');
    const value = fc.stringMatching(/^[a-z]{0,3}$/);
    const step = fc.oneof(
      fc.record({ act: fc.constant('set' as const), name, value }),
      fc.record({ act: fc.constant('append' as const), name, value }),
      fc.record({ act: fc.constant('delete' as const), name, value }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const ours = new HeaderMap();
        const theirs = new Headers();
        for (const headers of [ours, theirs]) {
          for (const { act, name, value } of steps)
            act === 'delete' ? headers.delete(name) : headers[act](name, value);
        }
        expect([...ours]).toEqual([...theirs]);
        expect([...ours.keys()]).toEqual([...theirs.keys()]);
        expect([...ours.values()]).toEqual([...theirs.values()]);
        expect(ours.getSetCookie()).toEqual(theirs.getSetCookie());
        for (const each of ['x-a', 'x-b', 'set-cookie']) {
          expect([ours.get(each), ours.has(each)]).toEqual([theirs.get(each), theirs.has(each)]);
        }
      }),
    );
  });
});
