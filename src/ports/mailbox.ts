import type { ResultPage } from './tracker.ts';

export const mailFolders = ['inbox', 'sent', 'archive', 'all'] as const;
export type MailFolder = (typeof mailFolders)[number];

/**
 * A mailbox, reached through one connection and only read: nothing is marked as seen. Text is plain and untrusted, the
 * newest mail comes first, failures are ToolFailures without credentials, and the signal ends what is under way.
 */
export interface Mailbox {
  search(query: MailQuery, signal: AbortSignal): Promise<ResultPage<Mail>>;
}

/** Every criterion that is given must be met. */
export interface MailQuery {
  /** Words and phrases that all occur in the headers or the text. */
  readonly terms: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  /** Days in UTC, `2026-01-31`: received on or after the one, before the other. */
  readonly since?: string;
  readonly before?: string;
  readonly folder: MailFolder;
  readonly limit: number;
  readonly cursor?: string;
}

export interface Mail {
  readonly id: string;
  readonly subject: string;
  readonly from: string | null;
  readonly to: string | null;
  /** ISO 8601. */
  readonly date: string | null;
  readonly unread: boolean | null;
  readonly link: string | null;
  readonly text: string;
}
