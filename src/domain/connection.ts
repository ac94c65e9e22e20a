export const connectionKinds = [
  'sqlite',
  'postgres',
  'mysql',
  'jira',
  'confluence',
  'imap',
  'graph',
  'gmail',
] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** A connection to a system of an organization. Owned by one actor or by the organization. */
export interface Connection {
  readonly id: string;
  readonly organizationId: string;
  /** Null: the organization's own. */
  readonly actorId: string | null;
  readonly name: string;
  readonly kind: ConnectionKind;
  /** Where it leads, without credentials. */
  readonly address: string;
  /** Settings and credentials as JSON, encrypted with AES-256-GCM under SECRETS_KEY, base64. */
  readonly sealedSettings: string;
  /** Whether its last test passed. */
  readonly active: boolean;
  readonly testedAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
