import type { PageRequest } from '../../ports/page.ts';
import { readFields, wholeNumber } from './field-rules.ts';

const pageSizeMax = 100;
const pageSizeDefault = 25;

export interface PageInput {
  /** 1 to 100; 25 unless given. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** @throws `invalid_request` when the limit is out of its range. */
export function checkedPage({ limit = pageSizeDefault, cursor }: PageInput): PageRequest {
  readFields({ limit: wholeNumber(1, pageSizeMax) }, { limit });
  return cursor === undefined ? { limit } : { limit, cursor };
}
