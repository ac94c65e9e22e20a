import type { Agent } from '../domain/agent.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Page, PageRequest } from '../ports/page.ts';
import type { Random } from '../ports/random.ts';
import type { RotatingSealer } from '../ports/sealer.ts';
import type { Store } from '../ports/store.ts';
import { recordChange } from './accounts/audit-service.ts';
import { connectionSettingsContext } from './accounts/connection-settings.ts';
import { changeAgent } from './agent/change-agent.ts';
import { notificationSecretContext } from './notification/deliver-notifications.ts';
import { webhookSecretContext } from './webhook/webhook-service.ts';

export interface ResealDependencies {
  readonly store: Pick<Store, 'connections' | 'agents' | 'auditEvents'>;
  readonly sealer: RotatingSealer;
  readonly clock: Clock;
  readonly random: Random;
}

/** What became of the records of a kind that hold something sealed. */
export interface ResealSummary {
  readonly kind: 'connections' | 'agents';
  readonly resealed: number;
  /** Were sealed with the present key already. */
  readonly current: number;
  /** The contexts of the sealed texts that no configured key opens; they were left as they are. */
  readonly failed: readonly string[];
}

/**
 * Seals with the present key what an earlier one sealed: settings of connections, secrets of agents' webhooks and
 * notifications. It can be run beside serving processes, and again: a record that changes meanwhile keeps its change
 * (of a connection, but for settings that are replaced between the one reading and the one writing of them), and a text
 * that cannot be opened does not hold up the others. Deleted agents are left out; their last use of a secret is a
 * notification that is still on its way.
 *
 * @param by for the audit trail
 */
export async function resealSecrets(deps: ResealDependencies, by: string): Promise<readonly ResealSummary[]> {
  return [await resealConnections(deps, by), await resealAgents(deps, by)];
}

async function resealConnections(deps: ResealDependencies, by: string): Promise<ResealSummary> {
  const { store, sealer } = deps;
  const tally = createTally('connections');
  for await (const { id } of everyOne((page) => store.connections.list({}, page))) {
    // What was listed may be seconds old, and the settings may have been replaced since.
    const connection = await store.connections.get(id);
    if (connection === undefined) continue;
    const { organizationId, sealedSettings } = connection;
    const result = reseal(sealer, { sealedSettings }, { sealedSettings: connectionSettingsContext(id) });
    tally.add(result);
    if (!result.hasChanged) continue;
    if ((await store.connections.update(id, result.fields)) === undefined) continue;
    const subject = { organizationId, subjectType: 'connection', subjectId: id } as const;
    await recordChange(deps, { ...subject, actor: by, action: 'connection.reseal', changes: {} });
  }
  return tally.summary();
}

async function resealAgents(deps: ResealDependencies, by: string): Promise<ResealSummary> {
  const { store, sealer } = deps;
  const tally = createTally('agents');
  for await (const agent of everyOne((page) => store.agents.list({}, page))) {
    const result = resealAgent(sealer, agent);
    tally.add(result);
    if (!result.hasChanged) continue;
    const access = { ownerId: null, by };
    try {
      await changeAgent(deps, agent.id, access, 'reseal', (present) => resealAgent(sealer, present).fields);
    } catch (error) {
      const isGone = error instanceof ServiceError && error.slug === 'not_found';
      if (!isGone) throw error;
    }
  }
  return tally.summary();
}

function resealAgent(sealer: RotatingSealer, agent: Agent) {
  const { id, sealedWebhookSecret, sealedNotificationSecret } = agent;
  return reseal(
    sealer,
    { sealedWebhookSecret, sealedNotificationSecret },
    {
      sealedWebhookSecret: webhookSecretContext(id),
      sealedNotificationSecret: notificationSecretContext(id),
    },
  );
}

interface Resealed<Sealed> {
  /** The sealed fields of a record as they should be. */
  readonly fields: Sealed;
  readonly hasChanged: boolean;
  readonly hasSecrets: boolean;
  readonly failed: readonly string[];
}

function reseal<Sealed extends Readonly<Record<string, string | null>>>(
  sealer: RotatingSealer,
  sealed: Sealed,
  contexts: Readonly<Record<keyof Sealed, string>>,
): Resealed<Sealed> {
  const failed: string[] = [];
  const fields = Object.entries(sealed).map(([name, text]) => {
    if (text === null || sealer.isCurrent(text)) return [name, text];
    const context = contexts[name] ?? name;
    try {
      return [name, sealer.seal(sealer.open(text, context), context)];
    } catch {
      failed.push(context);
      return [name, text];
    }
  });
  return {
    fields: Object.fromEntries(fields),
    hasChanged: fields.some(([name, text]) => sealed[String(name)] !== text),
    hasSecrets: Object.values(sealed).some((text) => text !== null),
    failed,
  };
}

function createTally(kind: ResealSummary['kind']) {
  const failed: string[] = [];
  let resealed = 0;
  let current = 0;
  return {
    add(result: Resealed<unknown>) {
      failed.push(...result.failed);
      if (result.hasChanged) resealed += 1;
      else if (result.hasSecrets && result.failed.length === 0) current += 1;
    },
    summary: (): ResealSummary => ({ kind, resealed, current, failed }),
  };
}

/** Goes through every page of a list. */
async function* everyOne<T>(list: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<T> {
  let page: PageRequest = { limit: 100 };
  for (;;) {
    const { data, nextCursor } = await list(page);
    yield* data;
    if (nextCursor === undefined) return;
    page = { ...page, cursor: nextCursor };
  }
}
