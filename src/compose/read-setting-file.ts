import { readFileSync } from 'node:fs';
import { ConfigError } from '../config/config-reader.ts';

/**
 * Reads a file that a setting names.
 *
 * @throws ConfigError naming the setting when it cannot be read.
 */
export function readSettingFile(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`${setting}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
