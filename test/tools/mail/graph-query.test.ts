import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MailQuery } from '../../../src/ports/mailbox.ts';
import { graphQuery } from '../../../src/tools/mail/graph-query.ts';
import { searchTerms } from '../../../src/tools/text/search-terms.ts';
import { injections } from '../injections.ts';

const nothing: MailQuery = { terms: [], folder: 'inbox', limit: 10 };

/** Reads the value of `$search` as OData and KQL have it: phrases become S; what is outside of them is the shape. */
function searchShape(search: string | undefined): string {
  const inner = /^"((?:[^"\\]|\\["\\])*)"$/su.exec(search ?? '')?.[1];
  if (inner === undefined) throw new Error(`no OData string: ${search}`);
  const kql = inner.replaceAll(/\\(["\\])/g, '$1');
  // KQL takes every kind of double quote for one, and has no escape.
  const shape = kql.replaceAll(/"[^"\u201c\u201d\u201e\u201f\u2033\uff02*]*"/gu, 'S');
  if (/["\u201c\u201d\u201e\u201f\u2033\uff02\\*\n\r]/.test(shape)) throw new Error(`a loose quote: ${kql}`);
  return shape;
}

describe('a query of Microsoft Graph', () => {
  test('with words is a $search, which excludes $filter and $orderby', () => {
    const query = {
      ...nothing,
      terms: ['invoice', 'purchase order'],
      from: 'priya',
      to: 'me@example.com',
      subject: 'April "final"',
      since: '2026-04-01',
      before: '2026-05-01',
    };
    expect(graphQuery(query)).toEqual({
      $search:
        '"\\"invoice\\" AND \\"purchase order\\" AND from:\\"priya\\" AND to:\\"me@example.com\\" AND ' +
        'subject:\\"April final\\" AND received>=2026-04-01 AND received<2026-05-01"',
    });
  });

  test('with days alone is a $filter', () => {
    expect(graphQuery({ ...nothing, since: '2026-04-01', before: '2026-05-01' })).toEqual({
      $filter: 'receivedDateTime ge 2026-04-01T00:00:00Z and receivedDateTime lt 2026-05-01T00:00:00Z',
      $orderby: 'receivedDateTime desc',
    });
    expect(graphQuery(nothing)).toEqual({ $orderby: 'receivedDateTime desc' });
  });

  describe.for(['from', 'to', 'subject'] as const)('keeps %s a value', (field) => {
    test.for(injections)('%j', (attempt) => {
      expect(searchShape(graphQuery({ ...nothing, [field]: attempt }).$search)).toBe(`${field}:S`);
    });
  });

  test.for(injections)('keeps the words of a text values: %j', (attempt) => {
    const terms = searchTerms(attempt);
    expect(searchShape(graphQuery({ ...nothing, terms }).$search)).toBe(terms.map(() => 'S').join(' AND '));
  });

  test('keeps any value a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
        const search = graphQuery({ ...nothing, from: value, subject: value, terms: [value] }).$search;
        expect(searchShape(search)).toBe('S AND from:S AND subject:S');
      }),
      { numRuns: 500 },
    );
  });
});
