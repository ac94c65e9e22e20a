import { type ConnectOptions, internet } from '../net/connect-public.ts';
import type { Clock } from '../ports/clock.ts';
import { createAccessTokens } from '../tools/http/access-token.ts';
import { createCircuitBreaker } from '../tools/http/circuit-breaker.ts';
import { createSystemClient, type SystemClient } from '../tools/http/system-client.ts';
import type { MailParts } from '../tools/mail/open-mailbox.ts';

/** What all calls of trackers, wikis and mailboxes share. */
export interface Systems {
  readonly client: SystemClient;
  readonly mail: MailParts;
  close(): Promise<void>;
}

export interface SystemsOptions {
  readonly privateHosts: ReadonlySet<string>;
  readonly clock: Clock;
  /** Default: the internet. */
  readonly connect?: ConnectOptions;
}

export function openSystems({ privateHosts, clock, connect }: SystemsOptions): Systems {
  const options = { network: internet, privateHosts, ...connect };
  const client = createSystemClient({ ...options, clock });
  const mail = {
    ...options,
    client,
    tokens: createAccessTokens(client, clock),
    breaker: createCircuitBreaker(clock),
  };
  return { client, mail, close: () => client.close() };
}
