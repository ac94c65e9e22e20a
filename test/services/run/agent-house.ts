import { createHmac } from 'node:crypto';
import { afterEach } from 'vitest';
import type { Agent } from '../../../src/domain/agent.ts';
import type { Organization, User } from '../../../src/domain/organization.ts';
import { isFinal, type Run } from '../../../src/domain/run.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { AgentAccess } from '../../../src/services/agent/agent-dependencies.ts';
import type { AgentInput } from '../../../src/services/agent/agent-rules.ts';
import type { AgentRuntime } from '../../../src/services/agent-runtime.ts';
import { anOrganization, aUser } from '../../contract/records.ts';
import {
  type FakeUpstream,
  type ReceivedRequest,
  reply,
  type Script,
  startFakeUpstream,
} from '../../models/fake-upstream.ts';
import { createSqlitePlace, openStore } from '../../storage/sqlite/opener.ts';
import { tokenizer } from '../chat/harness.ts';
import { type BuiltRuntime, buildRuntime, type RuntimeBuild } from './build-runtime.ts';

export const access: AgentAccess = { ownerId: 'user-1', by: 'user-1' };

export interface AgentHouse extends AgentRuntime {
  readonly store: Store;
  readonly server: FakeUpstream;
  readonly location: string;
  readonly reports: readonly unknown[];
  readonly built: BuiltRuntime;
  readonly clock: { now(): number };
  /** Moves the clock, which goes on by itself. */
  pass(ms: number): void;
  /** Creates an agent with a webhook. */
  agent(input?: AgentInput): Promise<Agent & { readonly secret: string }>;
  /** Sends a signed trigger. */
  send(agent: { readonly id: string; readonly secret: string }, body?: string | Uint8Array): Promise<void>;
  /** Resolves to the run as soon as it fits. */
  until(id: string, fits?: (run: Run) => boolean): Promise<Run>;
  /** Runs of an agent, the newest first, skipped ones too. */
  runsOf(agentId: string): Promise<readonly Run[]>;
  /** A second process of the service on the same store. */
  second(options?: RuntimeBuild): Promise<AgentHouse>;
}

export interface AgentHouseOptions extends RuntimeBuild {
  readonly answer?: (request: ReceivedRequest, number: number) => Script | Promise<Script>;
  readonly owner?: Partial<User>;
  readonly organization?: Partial<Organization>;
  /** Unix milliseconds; default: now. */
  readonly startMs?: number;
  /** The clock stands still but for `pass`. */
  readonly isPinned?: boolean;
  readonly wrapStore?: (store: Store) => Store;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Runs `close` after the test, before what was opened earlier is closed. */
export function closeAfterTest(close: () => Promise<unknown>): void {
  closers.push(close);
}

/** Builds everything about agents on an embedded store of its own, with a fake model server over real HTTP. */
export async function openAgentHouse(options: AgentHouseOptions = {}): Promise<AgentHouse> {
  const place = await createSqlitePlace();
  closers.push(() => place.remove());
  const server = await startFakeUpstream(options.answer ?? (() => reply(['Done.'])));
  closers.push(() => server.close());
  const openedMs = Date.now();
  let offsetMs = (options.startMs ?? openedMs) - openedMs;
  const clock = { now: () => (options.isPinned ? openedMs : Date.now()) + offsetMs };
  const first = await openStore(place.location);
  await first.organizations.create(anOrganization(options.organization));
  await first.users.create(aUser(options.owner));
  await first.close();

  async function open(extra: RuntimeBuild = {}): Promise<AgentHouse> {
    const opened = await openStore(place.location);
    closers.push(() => opened.close());
    const store = options.wrapStore?.(opened) ?? opened;
    const reports: unknown[] = [];
    const built = buildRuntime({
      ...options,
      ...extra,
      store,
      baseUrl: server.baseUrl,
      tokenizer,
      clock,
      report: (message, cause) => reports.push([message, cause]),
    });
    closers.push(() => built.close());
    const { runtime } = built;
    return {
      ...runtime,
      store,
      server,
      location: place.location,
      reports,
      built,
      clock,
      pass(ms) {
        offsetMs += ms;
      },
      async agent(input = {}) {
        const fields = { name: 'Reporter', prompt: 'Write the report.', model: 'large', ...input };
        const { agent } = await runtime.agents.create('user-1', fields, access);
        const { secret } = await runtime.webhooks.configure(agent.id, access);
        return { ...agent, secret };
      },
      async send(agent, body = '') {
        await runtime.trigger(signedTrigger(agent, body, clock.now()));
      },
      async until(id, fits = isFinal) {
        for (;;) {
          const run = await store.runs.get(id);
          if (run !== undefined && fits(run)) return run;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
      runsOf: (agentId) => store.runs.list(agentId, { limit: 100, statuses: [], triggerTypes: [] }),
      second: open,
    };
  }
  return open();
}

let addresses = 0;

/** A trigger as its sender signs it, each from an address of its own. */
export function signedTrigger(
  { id, secret }: { readonly id: string; readonly secret: string },
  body: string | Uint8Array,
  nowMs: number,
) {
  const timestamp = String(nowMs);
  addresses += 1;
  return {
    agentId: id,
    address: `192.0.2.${addresses}`,
    timestamp,
    signature: createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'),
    body: Buffer.from(body),
  };
}
