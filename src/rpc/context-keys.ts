import { createContextKey } from '@connectrpc/connect';

/** The caller's address after trusted proxies, without a port. Set by the server for every call. */
export const clientAddressKey = createContextKey<string>('', { description: 'client address' });

/** The request id that is echoed, logged and put into problem documents. Set by the server for every call. */
export const requestIdKey = createContextKey<string>('', { description: 'request id' });
