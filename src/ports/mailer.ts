/** Sends mail. */
export interface Mailer {
  /** Resolves when a mail server has taken the mail over. The signal bounds it. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Unique for the mail, the same when it is tried again. */
  readonly id: string;
}
