export const triggerTypes = ['manual', 'schedule', 'webhook'] as const;
export type TriggerType = (typeof triggerTypes)[number];

/** The states that follow each state of a run. One without any is final. */
export const runTransitions = {
  queued: ['running', 'cancelled', 'skipped', 'failed'],
  running: ['queued', 'succeeded', 'failed', 'cancelled', 'timed_out'],
  succeeded: [],
  failed: [],
  cancelled: [],
  timed_out: [],
  skipped: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type RunStatus = keyof typeof runTransitions;
export type FinalStatus = 'succeeded' | 'failed' | 'cancelled' | 'timed_out' | 'skipped';

export const skipReasons = {
  already_running: 'The agent was already at work.',
  missed: 'The scheduled time was missed by more than an hour.',
  agent_deleted: 'The agent was deleted.',
  agent_paused: 'The agent was paused.',
  agent_expired: 'The agent had expired.',
  organization_suspended: 'The organization is suspended.',
  owner_inactive: 'The owner of the agent is not active.',
} as const;

export type SkipReason = keyof typeof skipReasons;
