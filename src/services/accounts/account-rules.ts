import { sampleSite, type UsageLimit } from '../../domain/organization.ts';
import { type FieldRule, oneOf, RuleFailure, text, wholeNumber } from './field-rules.ts';

const tokensMax = 1e15;

export const tokenBudget = wholeNumber(0, tokensMax);

export const tokenPool = wholeNumber(1, tokensMax);

export const modelId = text(1, 200);

/** `name@host`, in lower case; one `@`, no spaces, at most 254 characters (RFC 5321 section 4.5.3.1). */
export const emailAddress: FieldRule<string> = (value) => {
  const address = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(address)
    ? address
    : new RuleFailure('must be an e-mail address such as ada@example.com');
};

/** Long enough that argon2id's cost decides, short enough that hashing it is no work. */
export const password: FieldRule<string> = (value) =>
  typeof value === 'string' && value.length >= 12 && value.length <= 1_024
    ? value
    : new RuleFailure('must have 12 to 1,024 characters');

/** The address of a site: https, without credentials, query or fragment; no slash at its end. */
export const siteUrl: FieldRule<string> = (value) => {
  const url = typeof value === 'string' ? URL.parse(value.trim()) : null;
  if (
    url?.protocol !== 'https:' ||
    url.username !== '' ||
    url.password !== '' ||
    url.search + url.hash !== ''
  ) {
    return new RuleFailure('must be an https:// URL without credentials, query and fragment');
  }
  return url.href.replace(/\/+$/, '');
};

/** The address of a site, or `demo` for the bundled sample system. */
export const pinnedSite: FieldRule<string> = (value) => (value === sampleSite ? sampleSite : siteUrl(value));

const unit = oneOf(['requests', 'tokens']);
const window = oneOf(['hour', 'day', 'month']);
const usageMax = wholeNumber(1, tokensMax);

export const usageLimit: FieldRule<UsageLimit> = (value) => {
  const given = (typeof value === 'object' ? value : null) as Readonly<Record<string, unknown>> | null;
  const read = { unit: unit(given?.unit), limit: usageMax(given?.limit), window: window(given?.window) };
  const isRight = Object.values(read).every((part) => !(part instanceof RuleFailure));
  if (isRight) return read as UsageLimit;
  return new RuleFailure(
    'must have a unit (requests or tokens), a limit of at least 1 and a window (hour, day or month)',
  );
};

/** A time, Unix milliseconds, within the years that ISO 8601 writes with four digits. */
export const time: FieldRule<number> = (value) =>
  typeof value === 'number' && value >= 0 && value < Date.UTC(10_000, 0)
    ? Math.trunc(value)
    : new RuleFailure('must be a date and time in ISO 8601 form');
