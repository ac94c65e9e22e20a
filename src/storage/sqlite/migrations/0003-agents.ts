/** Agents, their runs, the replay memory of webhooks, and the jobs of the local queue. */
export const agents = `
CREATE TABLE agents (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL AS (document ->> '$.createdAtMs'),
  organization_id TEXT NOT NULL AS (document ->> '$.organizationId'),
  owner_id TEXT NOT NULL AS (document ->> '$.ownerId'),
  revision INTEGER NOT NULL AS (document ->> '$.revision'),
  next_run_at_ms INTEGER AS (document ->> '$.nextRunAtMs'),
  is_deleted INTEGER NOT NULL AS (document ->> '$.deletedAtMs' IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX agents_by_owner ON agents (owner_id, created_at_ms);
CREATE INDEX agents_by_creation ON agents (is_deleted, created_at_ms, id);
CREATE INDEX agents_by_organization ON agents (organization_id, is_deleted, created_at_ms, id);
CREATE INDEX agents_by_due_time ON agents (next_run_at_ms) WHERE next_run_at_ms IS NOT NULL;

CREATE TABLE runs (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  agent_id TEXT NOT NULL AS (document ->> '$.agentId'),
  queued_at_ms INTEGER NOT NULL AS (document ->> '$.queuedAtMs'),
  status TEXT NOT NULL AS (document ->> '$.status'),
  trigger_type TEXT NOT NULL AS (document ->> '$.triggerType'),
  active_agent_id TEXT AS (document ->> '$.activeAgentId'),
  due_at_ms INTEGER AS (document ->> '$.dueAtMs'),
  revision INTEGER NOT NULL AS (document ->> '$.revision')
) STRICT;
CREATE UNIQUE INDEX runs_by_agent ON runs (agent_id, queued_at_ms);
CREATE UNIQUE INDEX runs_active ON runs (active_agent_id) WHERE active_agent_id IS NOT NULL;
CREATE INDEX runs_by_due_time ON runs (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE replay_claims (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  last_ms INTEGER NOT NULL AS (document ->> '$.lastMs')
) STRICT;
CREATE INDEX replay_claims_by_end ON replay_claims (last_ms);

CREATE TABLE jobs (
  id TEXT PRIMARY KEY NOT NULL,
  document TEXT NOT NULL,
  due_at_ms INTEGER NOT NULL AS (document ->> '$.dueAtMs'),
  token TEXT AS (document ->> '$.token')
) STRICT;
CREATE INDEX jobs_by_due_time ON jobs (due_at_ms);
`;
