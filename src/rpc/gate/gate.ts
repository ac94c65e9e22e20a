import type { HandlerContext } from '@connectrpc/connect';
import type { Admission } from '../../services/admission/admission.ts';
import { clientAddressKey } from '../context-keys.ts';
import { principalKey, tokensUsedKey } from '../principal.ts';
import { accessOf } from './access.ts';
import type { SessionGate } from './session-gate.ts';
import { setStandingHeaders } from './standing-headers.ts';

/**
 * Returns the gate that every call crosses, whichever door it came through, before its body is read.
 *
 * It counts a call that needs a key on its address. The caller's principal and tokens, or its user, are left in the
 * context's values, and the headers of an authenticated answer in `responseHeader`, also when the call is refused.
 *
 * @throws ServiceError with the slug of the first check that failed
 */
export function createGate(
  admission: Admission,
  sessionGate: SessionGate,
): (context: HandlerContext) => Promise<void> {
  return async (context) => {
    const access = accessOf(context.method);
    // A webhook's signature is over its body, which only the service sees.
    if (access.kind === 'public' || access.kind === 'signature') return;
    if (access.kind !== 'apiKey') return sessionGate(context, access.kind);
    const { standing, refusal } = await admission.admit({
      authorization: context.requestHeader.get('authorization'),
      address: context.values.get(clientAddressKey),
      scope: access.scope,
    });
    if (standing !== undefined) {
      setStandingHeaders(context.responseHeader, standing);
      context.values.set(principalKey, standing.principal);
      if (standing.budget !== undefined) context.values.set(tokensUsedKey, standing.budget.key.used);
    }
    if (refusal !== undefined) throw refusal;
  };
}
