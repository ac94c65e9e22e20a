import { describe, expect, test } from 'vitest';
import { writeZip } from '../../../src/documents/ooxml/zip.ts';
import { packageProblems } from './check-package.ts';

const relationship = (id: string, target: string) => `<Relationship Id="${id}" Type="t" Target="${target}"/>`;
const sound = {
  '[Content_Types].xml':
    '<Types><Default Extension="rels" ContentType="r"/><Default Extension="xml" ContentType="x"/><Override PartName="/a/main.xml" ContentType="m"/><Override PartName="/a/b.xml" ContentType="b"/></Types>',
  '_rels/.rels': `<Relationships>${relationship('rId1', 'a/main.xml')}</Relationships>`,
  'a/main.xml': '<m><x r:id="rId1"/></m>',
  'a/_rels/main.xml.rels': `<Relationships>${relationship('rId1', 'b.xml')}</Relationships>`,
  'a/b.xml': '<b/>',
};

const problemsOf = (changes: Record<string, string | undefined>) =>
  packageProblems(
    writeZip(
      Object.entries({ ...sound, ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
  );

describe('the package check', () => {
  test('finds nothing wrong with a sound package', () => {
    expect(problemsOf({})).toEqual([]);
  });

  test.for([
    ['a missing part', { 'a/b.xml': undefined }, 'a/b.xml, which is missing'],
    ['an orphan', { 'a/c.bin': 'x' }, 'no content type for a/c.bin'],
    ['a part nobody leads to', { 'a/_rels/main.xml.rels': '<Relationships/>' }, 'nothing leads to a/b.xml'],
    ['an unknown relationship', { 'a/main.xml': '<m r:id="rId9"/>' }, 'rId9 is not in its relationships'],
    [
      'an id twice',
      { '_rels/.rels': `<Relationships>${relationship('rId1', 'a/main.xml').repeat(2)}</Relationships>` },
      'rId1 twice',
    ],
    ['open markup', { 'a/b.xml': '<b><c></b>' }, 'closes another element'],
    ['a bare ampersand', { 'a/b.xml': '<b>a & b</b>' }, 'bare ampersand'],
    ['a forbidden character', { 'a/b.xml': '<b>\u0001</b>' }, 'character that XML forbids'],
  ] as const)('finds %s', ([, changes, expected]) => {
    expect(problemsOf(changes).join('\n')).toContain(expected);
  });
});
