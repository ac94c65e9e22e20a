import type { EngineName } from '../errors.ts';
import { limits } from '../limits.ts';

/** The file name extension of each generator's format, without the dot. */
export const extensionOf = {
  excel: 'xlsx',
  pdf: 'pdf',
  pptx: 'pptx',
  docx: 'docx',
} as const satisfies Record<EngineName, string>;

/**
 * Returns the download name of a generated file: ASCII letters, digits, `_`, `.` and `-` only, at most 80 characters,
 * ending in the format's extension.
 *
 * Every other character of `requested` becomes one `_`; a name without the extension (in any case) gets it; a name that
 * is too long loses the end of its stem. Without a name, or with one that has nothing but dots before the extension, it
 * is `service_<type>_<YYYYMMDDTHHMMSSZ>.<extension>`.
 *
 * @param nowMs Unix milliseconds.
 */
export function documentFilename(requested: string | undefined, type: EngineName, nowMs: number): string {
  const extension = `.${extensionOf[type]}`;
  const name = (requested ?? '').replace(/[^A-Za-z0-9_.-]/gu, '_');
  const hasExtension = name.toLowerCase().endsWith(extension);
  const ending = hasExtension ? name.slice(-extension.length) : extension;
  const stem = (hasExtension ? name.slice(0, -extension.length) : name).slice(
    0,
    limits.document.filenameChars - extension.length,
  );
  return /^\.*$/.test(stem) ? `service_${type}_${compactTime(nowMs)}${extension}` : stem + ending;
}

/** ISO 8601 basic format in UTC, to the second. */
function compactTime(unixMs: number): string {
  return new Date(unixMs).toISOString().replace(/[-:]|\.\d+/g, '');
}
