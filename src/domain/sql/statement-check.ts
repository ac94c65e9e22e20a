/** What a look at a statement says, before any database sees it. */
export type StatementCheck =
  /** `writes`: whether it may change something; a statement that does not runs read-only whatever the access. */
  | { readonly ok: true; readonly writes: boolean }
  /** `problem` is a sentence for the model. */
  | { readonly ok: false; readonly problem: string };

export function refusedStatement(problem: string): StatementCheck {
  return { ok: false, problem };
}

export const onlyOneStatement = refusedStatement('only one statement is run at a time');
