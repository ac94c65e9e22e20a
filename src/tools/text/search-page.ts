import type { JsonObject } from '../../domain/chat.ts';
import type { Random } from '../../ports/random.ts';
import type { ResultPage } from '../../ports/tracker.ts';
import type { PageTokens } from './page-token.ts';
import { type ResultForm, resultText } from './result-text.ts';
import { lineOf } from './tool-arguments.ts';

/** What the queries of all systems have. */
interface PagedQuery {
  readonly terms: readonly string[];
  readonly cursor?: string;
}

/** A search in one system, for a model. */
export interface PageSearch<Query extends PagedQuery, Row>
  extends Pick<ResultForm<Row>, 'source' | 'noun' | 'show'> {
  readonly pageTokens: PageTokens;
  /** Without a cursor. */
  readonly query: Query;
  readonly search: (query: Query, signal: AbortSignal) => Promise<ResultPage<Row>>;
}

/**
 * Searches, from where `page_token` among the arguments says, and returns the page as a model reads it.
 *
 * @throws ToolFailure when the token was not made for this query; what the search throws.
 */
export async function searchPage<Query extends PagedQuery, Row>(
  args: JsonObject,
  { pageTokens, query, search, ...form }: PageSearch<Query, Row>,
  signal: AbortSignal,
  random: Random,
): Promise<string> {
  const token = lineOf(args.page_token, Number.POSITIVE_INFINITY);
  const page = await search(
    token === '' ? query : { ...query, cursor: pageTokens.open(token, query) },
    signal,
  );
  const { terms } = query;
  const sealCursor = (next: string) => pageTokens.seal(next, query);
  return resultText(page, { ...form, terms, sealCursor }, random);
}
