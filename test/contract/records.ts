import type { ApiKey } from '../../src/domain/api-key.ts';
import type { AuditEvent } from '../../src/domain/audit.ts';
import type { Connection } from '../../src/domain/connection.ts';
import type { Organization, User } from '../../src/domain/organization.ts';

const createdAtMs = Date.UTC(2026, 0, 15, 12);

/** Complete records for tests; each takes the fields that matter to the test. */
export function anOrganization(fields: Partial<Organization> = {}): Organization {
  return {
    id: 'organization-1',
    name: 'Example',
    models: [],
    subscription: 'active',
    trial: false,
    suspended: false,
    pinnedMode: null,
    tokenPool: null,
    poolResetDay: 1,
    usagePool: null,
    trackerSite: null,
    trackerWrites: false,
    wikiSite: null,
    wikiWrites: false,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...fields,
  };
}

export function aUser(fields: Partial<User> = {}): User {
  return {
    id: 'user-1',
    organizationId: 'organization-1',
    email: `${fields.id ?? 'user-1'}@example.com`,
    name: 'Ada',
    role: 'member',
    active: true,
    passwordHash: null,
    usageLimit: null,
    models: [],
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...fields,
  };
}

export function anApiKey(fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key-1',
    organizationId: 'organization-1',
    actorId: 'user-1',
    name: 'Key',
    keyHash: `hash of ${fields.id ?? 'key-1'}`,
    hint: 'abcd',
    scopes: ['chat', 'excel'],
    models: ['demo'],
    rateLimitPerHour: 1_000,
    tokenBudget: 5_000_000,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...fields,
  };
}

export function aConnection(fields: Partial<Connection> = {}): Connection {
  return {
    id: 'connection-1',
    organizationId: 'organization-1',
    actorId: 'user-1',
    name: 'Sales',
    kind: 'sqlite',
    address: '/data/sales.db',
    sealedSettings: 'v1.00000000.AAAA',
    active: false,
    testedAtMs: null,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...fields,
  };
}

export function anAuditEvent(fields: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: 'event-1',
    createdAtMs,
    actor: 'cli',
    organizationId: 'organization-1',
    action: 'key.rotate',
    subjectType: 'key',
    subjectId: 'key-1',
    changes: {},
    ...fields,
  };
}
