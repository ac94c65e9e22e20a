/**
 * An issue tracker, reached through one connection.
 *
 * Invariants:
 * - Whatever it is asked, it reaches the site of its connection only, and there the connection's projects only.
 * - Text that it returns is plain, without markup; it was written by others and is to be told to a model as data.
 * - A list holds at most `limit` rows, what was changed last first, each row once while nothing changes.
 * - It answers or fails within seconds, and lets go when the signal aborts.
 * - Every failure is a ToolFailure without credentials in it.
 */
export interface Tracker {
  /** Keys of the projects that it reaches; empty: all that its account may. */
  readonly projects: readonly string[];
  search(query: IssueQuery, signal: AbortSignal): Promise<ResultPage<Issue>>;
  create(issue: NewIssue, signal: AbortSignal): Promise<WrittenEntry>;
  /** `key`: of the issue, as `OPS-12`. */
  comment(key: string, text: string, signal: AbortSignal): Promise<WrittenEntry>;
}

/** Every criterion that is given must be met. */
export interface IssueQuery {
  /** Words and phrases that all occur. */
  readonly terms: readonly string[];
  readonly key?: string;
  readonly project?: string;
  readonly status?: string;
  readonly state?: 'open' | 'done';
  readonly type?: string;
  readonly assignee?: string;
  readonly reporter?: string;
  /** Days, `2026-01-31`. */
  readonly updatedSince?: string;
  readonly createdSince?: string;
  readonly limit: number;
  /** Of the page before. */
  readonly cursor?: string;
}

export interface Issue {
  readonly key: string;
  readonly title: string;
  readonly type: string | null;
  readonly status: string | null;
  readonly priority: string | null;
  readonly assignee: string | null;
  readonly reporter: string | null;
  /** ISO 8601, as the system has it. */
  readonly created: string | null;
  readonly updated: string | null;
  readonly link: string;
  /** Description and what comments came along. */
  readonly text: string;
}

export interface NewIssue {
  readonly project: string;
  readonly type: string;
  readonly title: string;
  /** Plain text, with the marks of `text-blocks`. */
  readonly description: string;
}

export interface ResultPage<Row> {
  readonly rows: readonly Row[];
  /** Absent at the end. */
  readonly nextCursor?: string;
  /** Where the system tells. */
  readonly total?: number;
}

/** What was written. */
export interface WrittenEntry {
  /** How the system names it. */
  readonly key: string;
  readonly link: string;
}
