import type { NewPage } from '../../ports/wiki.ts';
import type { Site } from '../http/site.ts';

/** What differs between the two kinds of Confluence. */
export interface ConfluenceDialect {
  /** The name of the parameter in which a page of results begins. */
  readonly cursorName: 'cursor' | 'start';
  readNextCursor(answer: unknown): string | undefined;
  /** The key of the space that a page is in. */
  spaceOf(site: Site, pageId: string, signal: AbortSignal): Promise<string>;
  create(site: Site, page: NewPage, signal: AbortSignal): Promise<WrittenPage>;
  comment(site: Site, pageId: string, text: string, signal: AbortSignal): Promise<void>;
  /** Fails when a space is none, or not to be seen. */
  findSpace(site: Site, key: string, signal: AbortSignal): Promise<unknown>;
}

export interface WrittenPage {
  readonly id: string;
}
