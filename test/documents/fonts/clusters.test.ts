import { expect, test } from 'vitest';
import { forEachCluster } from '../../../src/documents/fonts/clusters.ts';

function clusters(text: string): string[] {
  const found: string[] = [];
  forEachCluster(text, (cluster, before, after) =>
    found.push(`${before ? '<' : ''}${cluster}${after ? '>' : ''}`),
  );
  return found;
}

test.for([
  ['letters with their marks', 'e\u0301a', ['e\u0301', 'a']],
  ['consonants tied by a virama', 'क्षत्रि', ['क्ष', 'त्रि']],
  ['Thai consonant, tone and sara am', 'น้ำดี', ['น้ำ', 'ดี']],
  ['flags in pairs', '🇩🇪🇯🇵', ['🇩🇪', '🇯🇵']],
  ['joined emoji', '👩\u200d💻👍🏽', ['👩\u200d💻', '👍🏽']],
  ['Hangul letters of one syllable', '\u1112\u1161\u11ab\u1100', ['\u1112\u1161\u11ab', '\u1100']],
  ['Arabic letters know their neighbours', 'بيت', ['ب>', '<ي>', '<ت']],
  ['an alef joins only backwards', 'بابا', ['ب>', '<ا', 'ب>', '<ا']],
  ['lam and alef are one', 'سلام', ['س>', '<لا', 'م']],
  ['a non-joiner parts', 'می\u200cخ', ['م>', '<ی\u200c', 'خ']],
  ['hamza joins nothing', 'شيء', ['ش>', '<ي', 'ء']],
] as const)('%s', ([, text, expected]) => {
  expect(clusters(text)).toEqual(expected);
});

test('a pile of marks is cut', () => {
  const found = clusters(`a${'\u0301'.repeat(1000)}`);
  expect(Math.max(...found.map((cluster) => cluster.length))).toBeLessThanOrEqual(34);
  expect(found.join('').length).toBe(1001);
});
