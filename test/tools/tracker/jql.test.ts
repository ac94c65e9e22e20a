import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { IssueQuery } from '../../../src/ports/tracker.ts';
import { searchTerms } from '../../../src/tools/text/search-terms.ts';
import { issueJql } from '../../../src/tools/tracker/jql.ts';
import { injections } from '../injections.ts';
import { luceneOperators, queryShape, queryStrings } from '../query-tokens.ts';

const projects = ['OPS', 'WEB'];
const nothing: IssueQuery = { terms: [], limit: 10 };
const valueFields = ['project', 'key', 'status', 'type', 'assignee', 'reporter'] as const;

test('there are at least 40 attempts', () => {
  expect(new Set(injections).size).toBeGreaterThanOrEqual(60);
});

describe('JQL', () => {
  test('holds every clause of a query, the scope first', () => {
    const query: IssueQuery = {
      terms: ['wrong', 'value added tax'],
      project: 'OPS',
      key: 'OPS-1',
      status: 'In "Progress"',
      state: 'open',
      type: 'Bug',
      assignee: 'ada@example.com',
      reporter: 'C:\\Bob',
      updatedSince: '2026-01-31',
      createdSince: '2026-01-01',
      limit: 5,
    };
    expect(issueJql(query, projects)).toBe(
      'project in ("OPS", "WEB") AND project = "OPS" AND issuekey = "OPS-1" AND status = "In \\"Progress\\"" AND ' +
        'issuetype = "Bug" AND assignee = "ada@example.com" AND reporter = "C:\\\\Bob" AND statusCategory != Done AND ' +
        'updated >= "2026-01-31" AND created >= "2026-01-01" AND text ~ "wrong" AND ' +
        'text ~ "\\"value added tax\\"" ORDER BY updated DESC',
    );
  });

  test('is bounded even when nothing is asked for, as Jira Cloud wants it', () => {
    expect(issueJql(nothing, [])).toBe('created >= "1970-01-01" ORDER BY updated DESC');
    expect(issueJql({ ...nothing, state: 'done' }, [])).toBe('statusCategory = Done ORDER BY updated DESC');
  });

  describe.for(valueFields)('keeps %s a value', (field) => {
    test.for(injections)('%j', (attempt) => {
      const jql = issueJql({ ...nothing, [field]: attempt }, projects);
      expect(queryShape(jql)).toBe(queryShape(issueJql({ ...nothing, [field]: 'harmless' }, projects)));
      expect(queryStrings(jql).slice(0, 2)).toEqual(projects);
    });
  });

  test.for(injections)('keeps the words of a text values without operators: %j', (attempt) => {
    const terms = searchTerms(attempt);
    const jql = issueJql({ ...nothing, terms }, projects);
    expect(queryShape(jql)).toBe(
      `project in ( S , S )${' AND text ~ S'.repeat(terms.length)} ORDER BY updated DESC`,
    );
    for (const term of queryStrings(jql).slice(2)) expect(luceneOperators(term)).toEqual([]);
  });

  test('keeps any value a value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom(...valueFields),
        (value, field) => {
          const jql = issueJql({ ...nothing, [field]: value, terms: [value] }, projects);
          expect(queryShape(jql)).toBe(
            queryShape(issueJql({ ...nothing, [field]: 'harmless', terms: ['harmless'] }, projects)),
          );
          const [, , , term = ''] = queryStrings(jql);
          expect(luceneOperators(term)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('says what it was given once the escapes are read', () => {
    const jql = issueJql({ ...nothing, status: 'a "b" \\ c\\"' }, []);
    expect(queryStrings(jql)).toEqual(['a "b" \\ c\\"']);
  });
});
