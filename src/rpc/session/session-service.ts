import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { SessionService as SessionServiceDesc } from '../../../gen/service/admin/v1/session_pb.ts';
import type { SignedIn } from '../../services/session/authenticate-session.ts';
import type { SessionService } from '../../services/session/session-service.ts';
import { clientAddressKey } from '../context-keys.ts';
import { assertOrigin } from '../gate/assert-origin.ts';
import type { SessionCookie } from './session-cookie.ts';
import { signedInOf } from './signed-in.ts';

export interface SessionRpcOptions {
  readonly sessions: SessionService;
  readonly cookie: SessionCookie;
  /** Of the service, as browsers write it. */
  readonly origin: string;
}

/**
 * Answers SessionService. Sign-in refuses another site's Origin; a caller that sends none, and so is no browser, needs
 * none to sign in.
 */
export function createSessionRpc({
  sessions,
  cookie,
  origin,
}: SessionRpcOptions): ServiceImpl<typeof SessionServiceDesc> {
  return {
    async createSession({ email, password }, { requestHeader, responseHeader, values }) {
      responseHeader.set('cache-control', 'no-store');
      assertOrigin(requestHeader, origin, false);
      const signedIn = await sessions.signIn({
        email,
        password,
        address: values.get(clientAddressKey),
        previousToken: cookie.read(requestHeader.get('cookie')),
      });
      responseHeader.set('set-cookie', cookie.give(signedIn.token));
      return toMessage(signedIn);
    },

    getSession: (_, context: HandlerContext) => toMessage(signedInOf(context)),

    async deleteSession({ everywhere }, context) {
      const { session, user } = signedInOf(context);
      if (everywhere) await sessions.endAll(user.id);
      else await sessions.end(session);
      context.responseHeader.set('set-cookie', cookie.take());
      return {};
    },
  };
}

function toMessage({ user, session, csrfToken }: SignedIn) {
  const { id, organizationId, email, name, role } = user;
  return {
    ok: true,
    user: { id, organizationId, email, name, role },
    csrfToken,
    expiresAt: timestampFromMs(session.expiresAtMs),
  };
}
