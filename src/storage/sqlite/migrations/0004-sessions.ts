/** Sessions of signed-in users. */
export const sessions = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  user_id TEXT NOT NULL AS (document ->> '$.userId'),
  created_at_ms INTEGER NOT NULL AS (document ->> '$.createdAtMs'),
  last_used_at_ms INTEGER NOT NULL AS (document ->> '$.lastUsedAtMs'),
  expires_at_ms INTEGER NOT NULL AS (document ->> '$.expiresAtMs')
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, created_at_ms, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at_ms);
`;
