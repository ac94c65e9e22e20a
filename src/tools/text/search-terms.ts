import { limits } from '../../domain/limits.ts';
import { ToolFailure } from '../../ports/tool.ts';
import { oneLine } from './clean-text.ts';

const termPattern =
  /["\u201c\u201d\u201e]([^"\u201c\u201d\u201e]*)["\u201c\u201d\u201e]|([^\s"\u201c\u201d\u201e]+)/gu;
const hasWordCharacter = /[\p{L}\p{N}]/u;

/**
 * Reads what to look for: words, and phrases in double quotes. The terms have no quotes, no control characters and
 * each a letter or a digit; there are at most 16 of at most 100 characters.
 *
 * @throws ToolFailure when there is something to look for, but no word in it.
 */
export function searchTerms(text: string): readonly string[] {
  const found = [...text.matchAll(termPattern)]
    .map(([, phrase, word]) => oneLine(phrase ?? word ?? '', limits.systems.termChars))
    .filter((term) => hasWordCharacter.test(term));
  if (found.length === 0 && text.trim() !== '')
    throw new ToolFailure('the text to look for has no word in it');
  return found.slice(0, limits.systems.terms);
}
