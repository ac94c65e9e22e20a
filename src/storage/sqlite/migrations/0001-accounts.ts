/** Organizations, users, keys, connections, the audit trail and the ledger. */
export const accounts = `
CREATE TABLE organizations (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL AS (document ->> '$.createdAtMs')
) STRICT;
CREATE INDEX organizations_by_creation ON organizations (created_at_ms, id);

CREATE TABLE users (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL AS (document ->> '$.createdAtMs'),
  organization_id TEXT NOT NULL AS (document ->> '$.organizationId'),
  email TEXT NOT NULL AS (document ->> '$.email')
) STRICT;
CREATE UNIQUE INDEX users_by_email ON users (email);
CREATE INDEX users_by_creation ON users (created_at_ms, id);
CREATE INDEX users_by_organization ON users (organization_id, created_at_ms, id);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL AS (document ->> '$.createdAtMs'),
  organization_id TEXT NOT NULL AS (document ->> '$.organizationId'),
  key_hash TEXT NOT NULL AS (document ->> '$.keyHash')
) STRICT;
CREATE UNIQUE INDEX api_keys_by_key_hash ON api_keys (key_hash);
CREATE INDEX api_keys_by_creation ON api_keys (created_at_ms, id);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at_ms, id);

CREATE TABLE connections (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL AS (document ->> '$.createdAtMs'),
  organization_id TEXT NOT NULL AS (document ->> '$.organizationId'),
  actor_id TEXT AS (document ->> '$.actorId')
) STRICT;
CREATE INDEX connections_by_creation ON connections (created_at_ms, id);
CREATE INDEX connections_by_organization ON connections (organization_id, created_at_ms, id);
CREATE INDEX connections_by_actor ON connections (actor_id, created_at_ms, id);

CREATE TABLE audit_events (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL AS (document ->> '$.createdAtMs'),
  organization_id TEXT AS (document ->> '$.organizationId')
) STRICT;
CREATE INDEX audit_events_by_creation ON audit_events (created_at_ms, id);
CREATE INDEX audit_events_by_organization ON audit_events (organization_id, created_at_ms, id);

CREATE TABLE ledger_balances (
  organization_id TEXT NOT NULL,
  cycle_start_ms INTEGER NOT NULL,
  api_key_id TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (organization_id, cycle_start_ms, api_key_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_reservations (
  organization_id TEXT NOT NULL,
  cycle_start_ms INTEGER NOT NULL,
  id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  lease_ends_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, cycle_start_ms, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_reservations_by_lease
  ON ledger_reservations (organization_id, cycle_start_ms, lease_ends_at_ms);
`;
