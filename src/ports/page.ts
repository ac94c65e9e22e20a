export interface Page<T> {
  readonly data: readonly T[];
  /** Cursor of the next page; absent at the end. */
  readonly nextCursor?: string;
}

export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string;
}
