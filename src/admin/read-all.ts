const pageSize = 100;

interface ListedPage<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string;
}

/** Reads every page of a list. */
export async function readAll<T>(
  list: (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListedPage<T>>,
): Promise<readonly T[]> {
  const all: T[] = [];
  let page = await list({ limit: pageSize });
  all.push(...page.data);
  while (page.nextCursor !== undefined) {
    page = await list({ limit: pageSize, cursor: page.nextCursor });
    all.push(...page.data);
  }
  return all;
}
