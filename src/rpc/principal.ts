import { createContextKey } from '@connectrpc/connect';
import type { Principal } from '../domain/api-key.ts';

/** The authenticated caller. Set by the gate on every call of a method that needs an API key. */
export const principalKey = createContextKey<Principal | undefined>(undefined, { description: 'principal' });
