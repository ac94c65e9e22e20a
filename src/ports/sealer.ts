/**
 * Encrypts what is stored but must not be readable in the store: credentials of connections, secrets of webhooks.
 *
 * Invariants:
 * - Sealed text can be opened only with the key and only for the record that it was sealed for; a changed character,
 *   another record's id or another key fails.
 * - The same text is sealed differently each time.
 * - What an earlier key sealed can be opened for as long as that key is configured.
 */
export interface Sealer {
  /** `context` names the record and field, such as `connection/<id>/settings`; it is authenticated, not stored. */
  seal(text: string, context: string): string;
  /** @throws Error when it cannot be opened. */
  open(sealed: string, context: string): string;
}

/** A sealer whose keys are rotated. */
export interface RotatingSealer extends Sealer {
  /** Whether the key that seals now has sealed it, so that opening it needs no earlier one. */
  isCurrent(sealed: string): boolean;
}
