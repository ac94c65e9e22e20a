import type { Config } from '../config.ts';
import type { TlsOptions } from '../http/listener.ts';
import { readSettingFile } from './read-setting-file.ts';

/**
 * Reads certificate and key; undefined when the service is to answer in the clear.
 *
 * @throws ConfigError naming the setting whose file cannot be read.
 */
export function readTls({ tls }: Config): TlsOptions | undefined {
  if (tls === null) return undefined;
  return {
    cert: readSettingFile('TLS_CERT', tls.certFile),
    key: readSettingFile('TLS_KEY', tls.keyFile),
  };
}
