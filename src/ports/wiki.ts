import type { ResultPage, WrittenEntry } from './tracker.ts';

/**
 * A wiki, reached through one connection. The invariants of a Tracker hold, with spaces in place of projects; a search
 * for terms gives the best match first.
 */
export interface Wiki {
  /** Keys of the spaces that it reaches; empty: all that its account may. */
  readonly spaces: readonly string[];
  search(query: PageQuery, signal: AbortSignal): Promise<ResultPage<WikiPage>>;
  create(page: NewPage, signal: AbortSignal): Promise<WrittenEntry>;
  /** `id`: of the page, decimal digits. */
  comment(id: string, text: string, signal: AbortSignal): Promise<WrittenEntry>;
}

/** Every criterion that is given must be met. */
export interface PageQuery {
  /** Words and phrases that all occur. */
  readonly terms: readonly string[];
  /** Words of the title. */
  readonly title?: string;
  readonly space?: string;
  readonly label?: string;
  /** Day, `2026-01-31`. */
  readonly updatedSince?: string;
  readonly limit: number;
  readonly cursor?: string;
}

export interface WikiPage {
  readonly id: string;
  readonly title: string;
  readonly space: string | null;
  /** `page` or `blogpost`. */
  readonly type: string;
  /** Who changed it last. */
  readonly author: string | null;
  /** ISO 8601. */
  readonly updated: string | null;
  readonly link: string;
  readonly text: string;
}

export interface NewPage {
  readonly space: string;
  readonly title: string;
  /** Plain text, with the marks of `text-blocks`. */
  readonly text: string;
  /** Id of the page above it. */
  readonly parentId?: string;
}
