import type { JsonObject } from '@bufbuild/protobuf';
import type { Organization, User } from '../../src/domain/organization.ts';
import type { Store } from '../../src/ports/store.ts';
import { argon2PasswordHasher } from '../../src/secrets/argon2-password-hasher.ts';
import { anOrganization, aUser } from '../contract/records.ts';

export const origin = 'http://service.test';
export const password = 'correct horse battery';

const passwordHash = await argon2PasswordHasher.hash(password);

/** Creates an organization with the users `<id>-admin` and `<id>-member` at `example.com`, both with `password`. */
export async function createPeople(
  store: Store,
  id: string,
  differences: { organization?: Partial<Organization>; user?: Partial<User> } = {},
): Promise<void> {
  await store.organizations.create(anOrganization({ id, ...differences.organization }));
  for (const role of ['admin', 'member'] as const) {
    const user = { id: `${id}-${role}`, organizationId: id, role, passwordHash, ...differences.user };
    await store.users.create(aUser(user));
  }
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined when there is no body. */
  readonly body: JsonObject | undefined;
}

/** Calls a REST path with a JSON body. */
export async function call(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<RestAnswer> {
  const res = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await res.text();
  return {
    status: res.status,
    headers: res.headers,
    body: text === '' ? undefined : (JSON.parse(text) as JsonObject),
  };
}

/** A browser's session: its cookie, and the headers of a call that changes something. */
export interface BrowserSession {
  readonly cookie: string;
  readonly csrfToken: string;
  readonly headers: { readonly cookie: string; readonly origin: string; readonly 'x-csrf-token': string };
}

/** Signs in over REST. */
export async function signIn(
  url: string,
  email: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<BrowserSession> {
  const answer = await call(url, 'POST', '/api/session', { origin, ...headers }, { email, password });
  if (answer.status !== 200) throw new Error(`sign-in was refused: ${JSON.stringify(answer.body)}`);
  return toSession(answer);
}

/** Returns the session that a sign-in began. */
export function toSession({ headers, body }: RestAnswer): BrowserSession {
  const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const csrfToken = String(body?.csrf_token);
  return { cookie, csrfToken, headers: { cookie, origin, 'x-csrf-token': csrfToken } };
}
