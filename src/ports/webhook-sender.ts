/**
 * Posts webhooks to addresses outside.
 *
 * Invariants:
 * - Only `https:` URLs of public hosts are called, at an address that was checked; redirects are not followed.
 * - The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks 1.0.
 */
export interface WebhookSender {
  /** Resolves when the receiver answered 2xx. @throws WebhookFailure; the reason of the signal. */
  send(webhook: OutgoingWebhook, signal: AbortSignal): Promise<void>;
}

export interface OutgoingWebhook {
  readonly url: string;
  /** Unique for the event, the same when it is tried again. */
  readonly id: string;
  readonly timestampMs: number;
  /** JSON. */
  readonly body: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

export class WebhookFailure extends Error {
  /** Whether the receiver will not take it however often it is tried. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'WebhookFailure';
    this.isFinal = isFinal;
  }
}
