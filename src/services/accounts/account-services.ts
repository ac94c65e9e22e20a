import type { AccountDependencies } from './account-dependencies.ts';
import { type ApiKeyService, createApiKeyService } from './api-key-service.ts';
import { type AuditService, createAuditService } from './audit-service.ts';
import { type ConnectionService, createConnectionService } from './connection-service.ts';
import { createModelService, type ModelService } from './model-service.ts';
import { createOrganizationService, type OrganizationService } from './organization-service.ts';
import { createUserService, type UserService } from './user-service.ts';

/** What administrators do, for the command line and the API alike. Every change leaves an audit event. */
export interface AccountServices {
  readonly organizations: OrganizationService;
  readonly users: UserService;
  readonly apiKeys: ApiKeyService;
  readonly connections: ConnectionService;
  readonly models: ModelService;
  readonly audit: AuditService;
}

export function createAccountServices(deps: AccountDependencies): AccountServices {
  return {
    organizations: createOrganizationService(deps),
    users: createUserService(deps),
    apiKeys: createApiKeyService(deps),
    connections: createConnectionService(deps),
    models: createModelService(deps),
    audit: createAuditService(deps),
  };
}
