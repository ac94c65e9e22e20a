/** A fixed answer that needs no key. */
export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
