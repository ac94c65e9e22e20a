import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PageQuery } from '../../../src/ports/wiki.ts';
import { searchTerms } from '../../../src/tools/text/search-terms.ts';
import { pageCql } from '../../../src/tools/wiki/cql.ts';
import { injections } from '../injections.ts';
import { luceneOperators, queryShape, queryStrings } from '../query-tokens.ts';

const spaces = ['DOCS', '~ada'];
const nothing: PageQuery = { terms: [], limit: 10 };

describe('CQL', () => {
  test('holds every clause of a query, the scope first', () => {
    const query = {
      terms: ['travel', 'six hours'],
      title: 'travel policy',
      space: 'DOCS',
      label: 'a"b\\',
      updatedSince: '2026-01-31',
      limit: 5,
    };
    expect(pageCql(query, spaces)).toBe(
      'space in ("DOCS", "~ada") AND type in (page, blogpost) AND space = "DOCS" AND label = "a\\"b\\\\" AND ' +
        'title ~ "\\"travel policy\\"" AND lastmodified >= "2026-01-31" AND text ~ "travel" AND text ~ "\\"six hours\\""',
    );
  });

  test('sorts by date only when there is nothing to match', () => {
    expect(pageCql(nothing, [])).toBe('type in (page, blogpost) ORDER BY lastmodified DESC');
  });

  describe.for(['space', 'label', 'title'] as const)('keeps %s a value', (field) => {
    test.for(injections)('%j', (attempt) => {
      const cql = pageCql({ ...nothing, [field]: attempt }, spaces);
      expect(queryShape(cql)).toBe(queryShape(pageCql({ ...nothing, [field]: 'harmless' }, spaces)));
      expect(queryStrings(cql).slice(0, 2)).toEqual(spaces);
      if (field === 'title') expect(luceneOperators(queryStrings(cql)[2] ?? '*')).toEqual([]);
    });
  });

  test.for(injections)('keeps the words of a text values without operators: %j', (attempt) => {
    const terms = searchTerms(attempt);
    const cql = pageCql({ ...nothing, terms }, spaces);
    expect(queryShape(cql)).toBe(
      `space in ( S , S ) AND type in ( page , blogpost )${' AND text ~ S'.repeat(terms.length)}`,
    );
    for (const term of queryStrings(cql).slice(2)) expect(luceneOperators(term)).toEqual([]);
  });

  test('keeps any value a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
        const cql = pageCql({ ...nothing, space: value, label: value, title: value, terms: [value] }, spaces);
        const harmless = { ...nothing, space: 'a', label: 'a', title: 'a', terms: ['a'] };
        expect(queryShape(cql)).toBe(queryShape(pageCql(harmless, spaces)));
      }),
      { numRuns: 500 },
    );
  });
});
