import type { HandlerContext } from '@connectrpc/connect';
import { sessionError } from '../../domain/session-errors.ts';
import { isCsrfToken } from '../../domain/session-token.ts';
import type { SessionService } from '../../services/session/session-service.ts';
import type { SessionCookie } from '../session/session-cookie.ts';
import { signedInKey } from '../session/signed-in.ts';
import { sessionUserKey } from '../session-principal.ts';
import { assertOrigin } from './assert-origin.ts';
import { changesSomething } from './changes.ts';

export interface SessionGateOptions {
  readonly sessions: SessionService;
  readonly cookie: SessionCookie;
  /** Of the service, as browsers write it. */
  readonly origin: string;
}

export type SessionGate = (context: HandlerContext, kind: 'session' | 'administrator') => Promise<void>;

/**
 * Returns the gate of signed-in calls: session, organization, and for calls that may change something the Origin and
 * the token against forged requests, then the role. gRPC calls show the same headers as metadata.
 *
 * The user is left in the context's values.
 *
 * @throws ApiError of the first check that failed
 */
export function createSessionGate({ sessions, cookie, origin }: SessionGateOptions): SessionGate {
  return async (context, kind) => {
    const { requestHeader, responseHeader, values } = context;
    responseHeader.set('cache-control', 'no-store');
    const signedIn = await sessions.authenticate(cookie.read(requestHeader.get('cookie')));
    if (changesSomething(context.method)) {
      assertOrigin(requestHeader, origin, true);
      assertCsrfToken(signedIn.token, requestHeader.get('x-csrf-token'));
    }
    if (kind === 'administrator' && signedIn.user.role !== 'admin') {
      throw sessionError('ADMINISTRATOR_REQUIRED');
    }
    sessions.noteUse(signedIn.session);
    values.set(signedInKey, signedIn);
    values.set(sessionUserKey, signedIn.user);
  };
}

function assertCsrfToken(token: string, sent: string | null): void {
  if (sent === null || !isCsrfToken(token, sent)) throw sessionError('CSRF_TOKEN_MISMATCH');
}
