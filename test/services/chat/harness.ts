import { afterEach } from 'vitest';
import { cycleStartMs } from '../../../src/domain/budget-cycle.ts';
import type { ChatInput, TurnPrincipal } from '../../../src/domain/chat.ts';
import type { Organization, User } from '../../../src/domain/organization.ts';
import { loadTokenizer } from '../../../src/models/tokenizer.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { Chat, ChatEvent } from '../../../src/services/chat/chat.ts';
import { type Conversations, createConversations } from '../../../src/services/conversations.ts';
import { anApiKey, anOrganization, aUser } from '../../contract/records.ts';
import {
  type FakeUpstream,
  type ReceivedRequest,
  type Script,
  startFakeUpstream,
} from '../../models/fake-upstream.ts';
import { createSqlitePlace, openStore } from '../../storage/sqlite/opener.ts';
import { buildChat, type ChatBuild } from './build-chat.ts';

export const nowMs = Date.UTC(2026, 5, 15, 10, 30);
export const tokenizer = await loadTokenizer();

export interface House {
  readonly chat: Chat;
  readonly conversations: Conversations;
  readonly store: Store;
  readonly server: FakeUpstream;
  /** What no caller sees, as it was reported. */
  readonly reports: readonly unknown[];
  /** Of the store. */
  readonly location: string;
  /** Moves the service's clock. */
  pass(ms: number): void;
  /** A second process of the service on the same store. */
  second(): Promise<House>;
}

export interface HouseOptions extends ChatBuild {
  readonly answer: (request: ReceivedRequest, number: number) => Script | Promise<Script>;
  /** Puts something between the service and its store. */
  readonly wrapStore?: (store: Store) => Store;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Builds the chat service on an embedded store of its own, with a fake model server over real HTTP. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const place = await createSqlitePlace();
  closers.push(() => place.remove());
  const server = await startFakeUpstream(options.answer);
  closers.push(() => server.close());
  let clockMs = nowMs;

  async function open(): Promise<House> {
    const store = await openStore(place.location);
    closers.push(() => store.close());
    const reports: unknown[] = [];
    const clock = { now: () => clockMs };
    const { chat, close } = buildChat({
      ...options,
      store: options.wrapStore?.(store) ?? store,
      baseUrl: server.baseUrl,
      tokenizer,
      clock,
      report: (message, cause) => reports.push([message, cause]),
    });
    closers.push(close);
    return {
      chat,
      conversations: createConversations({ store, clock }),
      store,
      server,
      reports,
      location: place.location,
      pass(ms) {
        clockMs += ms;
      },
      second: open,
    };
  }
  return open();
}

export interface PrincipalFields {
  readonly key?: Partial<TurnPrincipal['apiKey']>;
  readonly actor?: Partial<User>;
  readonly organization?: Partial<Organization>;
}

export function aPrincipal({ key, actor, organization }: PrincipalFields = {}): TurnPrincipal {
  return {
    apiKey: anApiKey({ models: ['large'], ...key }),
    actor: aUser(actor),
    organization: anOrganization(organization),
  };
}

export const owner = { organizationId: 'organization-1', actorId: 'user-1' };
export const never = new AbortController().signal;

export function anInput(content: string, fields: Partial<ChatInput> = {}): ChatInput {
  return { messages: [{ role: 'user', content }], mode: 'auto', permission: 'auto', ...fields };
}

export function aCall(content = 'Hello', fields: Partial<ChatInput> = {}, principal = aPrincipal()) {
  return { principal, input: anInput(content, fields), signal: never };
}

export async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** What the key has used in the cycle of `nowMs`, and holds in flight of it at a time. */
export async function balance(store: Store, atMs = nowMs) {
  const { key } = await store.ledger.read({
    organizationId: 'organization-1',
    apiKeyId: 'key-1',
    cycleStartMs: cycleStartMs(nowMs, 1),
    nowMs: atMs,
  });
  return key;
}

/** Runs tasks and tells successes from failures by their slug. */
export async function outcomes<T>(tasks: readonly Promise<T>[]) {
  const settled = await Promise.allSettled(tasks);
  return {
    values: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    slugs: settled.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { slug?: string }).slug] : [],
    ),
  };
}
