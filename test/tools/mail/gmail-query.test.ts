import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MailQuery } from '../../../src/ports/mailbox.ts';
import { gmailQuery } from '../../../src/tools/mail/gmail-query.ts';
import { searchTerms } from '../../../src/tools/text/search-terms.ts';
import { injections } from '../injections.ts';

const nothing: MailQuery = { terms: [], folder: 'all', limit: 10 };

/** Phrases become S; what is outside of them is the shape. Gmail takes every kind of double quote for one. */
function shapeOf(q: string): string {
  const shape = q.replaceAll(/"[^"\u201c\u201d\u201e\u201f\u2033\uff02\\\n\r]*"/gu, 'S');
  if (/["\u201c\u201d\u201e\u201f\u2033\uff02\\\n\r]/.test(shape)) throw new Error(`a loose quote: ${q}`);
  return shape;
}

describe('a query of Gmail', () => {
  test('holds every part, all of which must be met', () => {
    const query = {
      ...nothing,
      folder: 'inbox',
      terms: ['invoice', 'purchase order'],
      from: 'priya',
      to: 'me@example.com',
      subject: 'April "final"',
      since: '2026-04-01',
      before: '2026-05-01',
    } as const;
    expect(gmailQuery(query)).toBe(
      'in:inbox "invoice" "purchase order" from:"priya" to:"me@example.com" subject:"April final" ' +
        'after:1775001600 before:1777593600',
    );
  });

  test.for([
    ['inbox', 'in:inbox'],
    ['sent', 'in:sent'],
    ['archive', '-in:inbox -in:sent -in:draft'],
    ['all', ''],
  ] as const)('looks in %s by %j', ([folder, q]) => {
    expect(gmailQuery({ ...nothing, folder })).toBe(q);
  });

  describe.for(['from', 'to', 'subject'] as const)('keeps %s a value', (field) => {
    test.for(injections)('%j', (attempt) => {
      expect(shapeOf(gmailQuery({ ...nothing, [field]: attempt }))).toBe(`${field}:S`);
    });
  });

  test.for(injections)('keeps the words of a text values: %j', (attempt) => {
    const terms = searchTerms(attempt);
    expect(shapeOf(gmailQuery({ ...nothing, terms }))).toBe(terms.map(() => 'S').join(' '));
  });

  test('keeps any value a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
        expect(shapeOf(gmailQuery({ ...nothing, from: value, subject: value, terms: [value] }))).toBe(
          'S from:S subject:S',
        );
      }),
      { numRuns: 500 },
    );
  });
});
