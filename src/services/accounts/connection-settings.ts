import type { Connection, ConnectionKind, ConnectionSettings } from '../../domain/connection.ts';
import type { Sealer } from '../../ports/sealer.ts';
import { emailAddress, siteUrl } from './account-rules.ts';
import {
  type FieldRule,
  flag,
  listOf,
  RuleFailure,
  readFields,
  refuse,
  text,
  wholeNumber,
} from './field-rules.ts';

const secret = text(1, 8_192);

/** What each kind takes; every field is needed but those with a default. */
const rulesByKind: Readonly<Record<ConnectionKind, Readonly<Record<string, FieldRule<unknown>>>>> = {
  sqlite: { path: text(1, 4_096) },
  postgres: { url: databaseUrl(['postgres', 'postgresql']) },
  mysql: { url: databaseUrl(['mysql', 'mariadb']) },
  jira: { site: siteUrl, email: emailAddress, token: secret, projects: listOf(projectKey) },
  confluence: { site: siteUrl, email: emailAddress, token: secret, spaces: listOf(spaceKey) },
  imap: { host: text(1, 253), port: wholeNumber(1, 65_535), user: text(1, 254), password: secret, tls: flag },
  graph: { tenantId: text(1, 254), clientId: text(1, 254), clientSecret: secret, user: emailAddress },
  gmail: { clientId: text(1, 254), clientSecret: secret, refreshToken: secret, user: emailAddress },
};

const defaultsByKind: Partial<Record<ConnectionKind, Readonly<Record<string, unknown>>>> = {
  jira: { projects: [] },
  confluence: { spaces: [] },
  imap: { port: 993, tls: true },
};

function projectKey(value: unknown): string | RuleFailure {
  const key = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return /^[A-Z][A-Z0-9_]{0,49}$/.test(key) ? key : new RuleFailure('must be a project key such as OPS');
}

function spaceKey(value: unknown): string | RuleFailure {
  const key = typeof value === 'string' ? value.trim() : '';
  return /^~?[\w.:-]{1,200}$/.test(key) ? key : new RuleFailure('must be a space key such as HANDBOOK');
}

/** @throws `invalid_request` when a setting is missing, wrong, or not of the kind. */
export function readConnectionSettings(
  kind: ConnectionKind,
  given: Readonly<Record<string, unknown>>,
): ConnectionSettings {
  const rules = rulesByKind[kind];
  const stranger = Object.keys(given).find(
    (name) => given[name] !== undefined && !Object.hasOwn(rules, name),
  );
  if (stranger !== undefined) {
    refuse(stranger, `is no setting of a ${kind} connection; there are ${Object.keys(rules).join(', ')}`);
  }
  const settings = readFields(rules, { ...defaultsByKind[kind], ...given });
  const missing = Object.keys(rules).find((name) => settings[name] === undefined);
  if (missing !== undefined) refuse(missing, `is required by a ${kind} connection`);
  return { kind, ...settings } as unknown as ConnectionSettings;
}

/** Returns where a connection leads, for people to read: no password, no token, no query. */
export function connectionAddress(settings: ConnectionSettings): string {
  switch (settings.kind) {
    case 'sqlite':
      return settings.path;
    case 'postgres':
    case 'mysql': {
      const { protocol, host, pathname } = new URL(settings.url);
      return `${protocol}//${host}${pathname}`;
    }
    case 'jira':
    case 'confluence':
      return settings.site;
    case 'imap':
      return `${settings.tls ? 'imaps' : 'imap'}://${settings.host}:${settings.port}/${settings.user}`;
    case 'graph':
      return `https://graph.microsoft.com/v1.0/users/${settings.user}`;
    case 'gmail':
      return `https://gmail.googleapis.com/gmail/v1/users/${settings.user}`;
  }
}

export function sealConnectionSettings(sealer: Sealer, id: string, settings: ConnectionSettings): string {
  return sealer.seal(JSON.stringify(settings), connectionSettingsContext(id));
}

/** @throws Error when the settings were sealed with a key that is not configured. */
export function openConnectionSettings(
  sealer: Sealer,
  connection: Pick<Connection, 'id' | 'sealedSettings'>,
): ConnectionSettings {
  const opened = sealer.open(connection.sealedSettings, connectionSettingsContext(connection.id));
  const settings = JSON.parse(opened) as ConnectionSettings;
  // Settings that were sealed by an earlier version lack what came later.
  return { ...defaultsByKind[settings.kind], ...settings };
}

/** The context that a connection's settings are sealed for. */
export function connectionSettingsContext(id: string): string {
  return `connection/${id}/settings`;
}

function databaseUrl(protocols: readonly string[]): FieldRule<string> {
  return (value) => {
    const url = typeof value === 'string' ? URL.parse(value.trim()) : null;
    const isDatabase = url !== null && protocols.includes(url.protocol.slice(0, -1)) && url.hostname !== '';
    return isDatabase
      ? url.href
      : new RuleFailure(`must be a URL such as ${protocols[0]}://user:password@host/database`);
  };
}
