import { ConfigError } from '../config/config-reader.ts';

/** The settings that say where something listens. */
export interface ListenSettings {
  readonly hostSetting: string;
  readonly portSetting: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Starts to listen.
 *
 * @throws ConfigError naming the setting when the address cannot be had.
 */
export async function listenAs<Listening>(
  listen: (port: number, host: string) => Promise<Listening>,
  { hostSetting, portSetting, host, port }: ListenSettings,
): Promise<Listening> {
  try {
    return await listen(port, host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = reasons[String(code)];
    if (reason === undefined) throw error;
    const setting = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? hostSetting : portSetting;
    throw new ConfigError([`${setting}: ${host}:${port} ${reason}`]);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be listened on by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is not an address of this machine',
};
