/** Conversations, their turns, and the windows of usage limits. */
export const conversations = `
CREATE TABLE conversations (
  id TEXT PRIMARY KEY NOT NULL,
  organization_id TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  title TEXT NOT NULL,
  model TEXT NOT NULL,
  mode TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  -- Of the last turn that was noted; 0: not listed.
  last_position INTEGER NOT NULL,
  deleted_at_ms INTEGER,
  lock_token TEXT,
  lock_ends_at_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX conversations_by_update ON conversations (organization_id, actor_id, updated_at_ms)
  WHERE last_position > 0 AND deleted_at_ms IS NULL;

CREATE TABLE turns (
  id TEXT PRIMARY KEY NOT NULL,
  -- Everything that has no column of its own.
  document TEXT NOT NULL,
  status TEXT NOT NULL,
  applied INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  -- Running: when its lease ends. Committed: when it was committed.
  due_at_ms INTEGER NOT NULL,
  claim_name TEXT,
  claim_expires_at_ms INTEGER,
  -- The place of its messages, once committed.
  conversation_id TEXT,
  position INTEGER,
  messages TEXT
) STRICT;
CREATE UNIQUE INDEX turns_by_claim ON turns (claim_name) WHERE claim_name IS NOT NULL;
CREATE UNIQUE INDEX turns_by_conversation ON turns (conversation_id, position) WHERE conversation_id IS NOT NULL;
CREATE INDEX turns_unfinished ON turns (status, due_at_ms) WHERE applied = 0;
CREATE INDEX turns_by_claim_expiry ON turns (claim_expires_at_ms) WHERE claim_expires_at_ms IS NOT NULL;

CREATE TABLE usage_windows (
  subject TEXT NOT NULL,
  unit TEXT NOT NULL,
  window TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (subject, unit, window, start_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_holds (
  id TEXT PRIMARY KEY NOT NULL,
  subject TEXT NOT NULL,
  unit TEXT NOT NULL,
  window TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  lease_ends_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_holds_by_window ON usage_holds (subject, unit, window, start_ms);
`;
