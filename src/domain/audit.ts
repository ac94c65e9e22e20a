/** A change made by an administrator. `changes` holds no secrets. */
export interface AuditEvent {
  readonly id: string;
  readonly createdAtMs: number;
  /** User id, or `cli`. */
  readonly actor: string;
  readonly organizationId: string | null;
  /** `<subject>.<verb>`: key.rotate, organization.update … */
  readonly action: string;
  readonly subjectType: 'organization' | 'user' | 'key' | 'agent' | 'connection';
  readonly subjectId: string;
  /** Fields by their names in the API, with their new values. */
  readonly changes: Readonly<Record<string, unknown>>;
}
