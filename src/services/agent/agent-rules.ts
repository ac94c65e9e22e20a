import { isIP } from 'node:net';
import { type NotificationTarget, toolScopes } from '../../domain/agent.ts';
import { limits } from '../../domain/limits.ts';
import { isPublicAddress, isPublicHostname } from '../../domain/network-address.ts';
import { chatModes } from '../../domain/organization.ts';
import type { FinalStatus } from '../../domain/run-status.ts';
import { cronProblem, isTimezone } from '../../domain/schedule.ts';
import { emailAddress, modelId, time } from '../accounts/account-rules.ts';
import {
  type FieldRule,
  flag,
  listOf,
  nullable,
  oneOf,
  RuleFailure,
  text,
  wholeNumber,
} from '../accounts/field-rules.ts';

const { nameChars, promptChars, timeLimitSecondsMax, notificationTargets } = limits.agent;

const cron: FieldRule<string> = (value) => {
  const expression = typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ') : '';
  const problem = cronProblem(expression);
  return problem === undefined ? expression : new RuleFailure(`must ${problem}`);
};

const timezone: FieldRule<string> = (value) =>
  typeof value === 'string' && isTimezone(value)
    ? value
    : new RuleFailure('must be an IANA time zone such as Europe/Berlin');

/** https, without credentials, of a host that could be a public one; port 443 or from 1024 on. */
const webhookUrl: FieldRule<string> = (value) => {
  const url = typeof value === 'string' && value.length <= 2_048 ? URL.parse(value) : null;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const isPublic = isIP(host) === 0 ? isPublicHostname(host) : isPublicAddress(host);
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (url === null || !isPlain || !isPublic || (url.port !== '' && Number(url.port) < 1_024)) {
    return new RuleFailure('must be an https:// URL of a public host, without credentials');
  }
  return url.href;
};

const endStatuses: FieldRule<readonly FinalStatus[]> = listOf(
  oneOf(['succeeded', 'failed', 'timed_out', 'cancelled', 'skipped']),
);

const notificationTarget: FieldRule<NotificationTarget> = (value) => {
  const given = (typeof value === 'object' ? value : null) as Readonly<Record<string, unknown>> | null;
  const statuses = endStatuses(given?.statuses ?? []);
  if (statuses instanceof RuleFailure) return new RuleFailure(`has statuses of which one ${statuses.detail}`);
  if (given?.kind === 'webhook') {
    const url = webhookUrl(given.url);
    return url instanceof RuleFailure ? url : { kind: 'webhook', url, statuses };
  }
  if (given?.kind === 'email') {
    const address = emailAddress(given.address);
    return address instanceof RuleFailure ? address : { kind: 'email', address, statuses };
  }
  return new RuleFailure('must have a webhook_url or an email');
};

export const agentRules = {
  name: text(1, nameChars),
  prompt: text(1, promptChars),
  /** Null: the owner's default. */
  model: nullable(modelId),
  mode: oneOf(chatModes),
  toolScopes: listOf(oneOf(toolScopes)),
  /** Null: none. */
  schedule: nullable(cron),
  timezone,
  expiresAtMs: nullable(time),
  timeLimitSeconds: wholeNumber(1, timeLimitSecondsMax),
  notifications: listOf(notificationTarget, { max: notificationTargets }),
  webhookWrites: flag,
};

/** Fields as a caller gives them; each is held to its rule. */
export type AgentInput = { readonly [Field in keyof typeof agentRules]?: unknown };
