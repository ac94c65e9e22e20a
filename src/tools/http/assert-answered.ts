import { ToolFailure } from '../../ports/tool.ts';
import { oneLine } from '../text/clean-text.ts';
import { listAt, objectAt, textAt } from './json-value.ts';
import type { SystemResponse } from './system-client.ts';

const messageChars = 400;

/**
 * Lets a successful answer pass.
 *
 * @param system for the model: `Jira`.
 * @throws ToolFailure that says what the model or its user can do about any other.
 */
export function assertAnswered(system: string, response: SystemResponse): void {
  const { status } = response;
  if (status >= 200 && status < 300 && response.body !== undefined) return;
  throw new ToolFailure(explain(system, response));
}

function explain(system: string, { status, retryAfterSeconds, body }: SystemResponse): string {
  switch (status) {
    case 400:
    case 422:
      return `${system} refused the request${saying(body)}`;
    case 401:
      return `${system} did not accept the credentials of the connection; an administrator has to renew them`;
    case 403:
      return `${system} does not permit this to the account of the connection`;
    case 404:
      return `${system} has nothing of that name that the account of the connection may see`;
    case 410:
      return `${system} no longer offers this interface`;
    case 429:
      return `${system} is called too often; try again ${retryAfterSeconds === null ? 'later' : `in ${retryAfterSeconds} s`}`;
    default:
      if (status >= 200 && status < 300)
        return `${system} answered with something that is no JSON: is the address right?`;
      return status >= 500 ? `${system} failed (${status}); try again later` : `${system} answered ${status}`;
  }
}

/** What the system itself says, in quotes: Atlassian's, Microsoft's or Google's form of errors. */
function saying(body: unknown): string {
  const parts = [
    ...listAt(body, 'errorMessages'),
    ...Object.entries(objectAt(body, 'errors')).map(([field, text]) => `${field}: ${text}`),
    ...listAt(body, 'errors').map((error) => textAt(error, 'title') ?? textAt(error, 'message')),
    textAt(body, 'message'),
    textAt(body, 'error', 'message'),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  // Quotes inside would end the quotation.
  const text = oneLine(parts.join('; '), messageChars).replaceAll('"', "'");
  return text === '' ? '' : `; it says: "${text}"`;
}
