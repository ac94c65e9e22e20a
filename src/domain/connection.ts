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

/** What each kind needs to connect, credentials among it. Stored only sealed. */
export type ConnectionSettings =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres' | 'mysql'; readonly url: string }
  | {
      readonly kind: 'jira';
      /** https, no slash at the end. */
      readonly site: string;
      readonly email: string;
      readonly token: string;
      /** Keys of the projects that it may reach; empty: all that its account may. */
      readonly projects: readonly string[];
    }
  | {
      readonly kind: 'confluence';
      /** https, no slash at the end. */
      readonly site: string;
      readonly email: string;
      readonly token: string;
      /** Keys of the spaces that it may reach; empty: all that its account may. */
      readonly spaces: readonly string[];
    }
  | {
      readonly kind: 'imap';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly tls: boolean;
    }
  | {
      /** Microsoft Graph with the application's own permissions. */
      readonly kind: 'graph';
      readonly tenantId: string;
      readonly clientId: string;
      readonly clientSecret: string;
      /** Mail address of the mailbox. */
      readonly user: string;
    }
  | {
      readonly kind: 'gmail';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      readonly user: string;
    };

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
  /** ConnectionSettings as JSON, sealed for `connection/<id>/settings`. */
  readonly sealedSettings: string;
  /** Whether its last test passed. */
  readonly active: boolean;
  readonly testedAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
