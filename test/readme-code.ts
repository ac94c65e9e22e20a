import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

/** Returns the code under `<!-- run: name -->` of the README. */
export function readmeCode(name: string): string {
  const code = new RegExp(`<!-- run: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``).exec(readme)?.[1];
  if (code === undefined) throw new Error(`the README has no code named ${name}`);
  return code;
}
