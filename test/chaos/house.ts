import { randomBytes } from 'node:crypto';
import type { ApiKey } from '../../src/domain/api-key.ts';
import { createApiKeyToken, hashApiKeyToken } from '../../src/domain/api-key-token.ts';
import type { Store } from '../../src/ports/store.ts';
import { anApiKey } from '../contract/records.ts';
import { type BrowserSession, call, createPeople, signIn } from '../wire/session-client.ts';

/** An API key as its holder has it. */
export interface HeldKey {
  readonly id: string;
  readonly headers: { readonly authorization: string };
  readonly tokenBudget: number | null;
  readonly rateLimitPerHour: number;
}

/** An agent with a webhook. */
export interface TriggeredAgent {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** Creates the organization that all clients belong to. */
export async function createOrganization(store: Store): Promise<void> {
  await createPeople(store, 'org');
}

export async function createKey(store: Store, id: string, fields: Partial<ApiKey> = {}): Promise<HeldKey> {
  const token = createApiKeyToken(randomBytes(48));
  const key = anApiKey({
    id,
    organizationId: 'org',
    actorId: 'org-member',
    models: [],
    scopes: ['chat', 'excel', 'pdf', 'pptx', 'docx'],
    rateLimitPerHour: 1_000_000,
    keyHash: hashApiKeyToken(token),
    ...fields,
  });
  await store.apiKeys.create(key);
  const { tokenBudget, rateLimitPerHour } = key;
  return { id, headers: { authorization: `Bearer ${token}` }, tokenBudget, rateLimitPerHour };
}

export function signInMember(url: string): Promise<BrowserSession> {
  return signIn(url, 'org-member@example.com');
}

/** Creates agents as their owner does. */
export async function createAgents(
  url: string,
  { headers }: BrowserSession,
  count: number,
): Promise<readonly TriggeredAgent[]> {
  const agents: TriggeredAgent[] = [];
  for (let index = 1; index <= count; index += 1) {
    const name = `agent${index}`;
    const created = await call(url, 'POST', '/api/agents', headers, { name, prompt: 'Report.' });
    const { id } = (created.body?.agent ?? {}) as { readonly id?: string };
    const { body } = await call(url, 'POST', `/api/agents/${id}/webhook`, headers, {});
    if (id === undefined) throw new Error(`no agent: ${JSON.stringify(created.body)}`);
    agents.push({ id, name, secret: String(body?.secret) });
  }
  return agents;
}
