import { expect, test } from 'vitest';
import { agentStatus, scopesOfRun, toolScopes } from '../../src/domain/agent.ts';
import { webhookError, webhookRefusals } from '../../src/domain/webhook-errors.ts';

test.for<[boolean, number | null, string]>([
  [false, null, 'active'],
  [false, 1_001, 'active'],
  [false, 1_000, 'expired'],
  [true, null, 'paused'],
  [true, 1_001, 'paused'],
  [true, 1_000, 'expired'],
])('paused %s, expiring at %s: %s at 1000', ([paused, expiresAtMs, status]) => {
  expect(agentStatus({ paused, expiresAtMs }, 1_000)).toBe(status);
});

test('a webhook’s run reads only, unless the agent lets it write; other runs have the agent’s scopes', () => {
  const agent = { toolScopes, webhookWrites: false };
  expect(scopesOfRun(agent, 'webhook')).toEqual(['sql.read', 'tracker.read', 'wiki.read', 'mail.read']);
  expect(scopesOfRun({ ...agent, toolScopes: ['wiki.write'] }, 'webhook')).toEqual(['wiki.read']);
  expect(scopesOfRun({ ...agent, webhookWrites: true }, 'webhook')).toEqual(toolScopes);
  expect(scopesOfRun(agent, 'schedule')).toEqual(toolScopes);
  expect(scopesOfRun(agent, 'manual')).toEqual(toolScopes);
});

test('the refusals of a trigger are those of the interface, section 7.3', () => {
  const table = Object.values(webhookRefusals).map(({ status, message }) => [status, message]);
  expect(table.toSorted()).toEqual(
    [
      [401, 'Invalid signature'],
      [401, 'X-Webhook-Timestamp header is required'],
      [401, 'Webhook timestamp older than 5 minutes, or is in the future'],
      [409, 'Webhook replay detected'],
      [429, 'Too many webhook triggers, or attempts from this IP'],
      [404, 'Webhook not configured for this agent'],
      [409, 'Agent is paused'],
      [403, 'Organization is suspended'],
      [400, 'Agent has expired'],
    ].toSorted(),
  );
  expect(webhookError('TOO_MANY_TRIGGERS', 35)).toMatchObject({
    status: 429,
    message: 'Too many webhook triggers, or attempts from this IP. Try again in 35 s.',
    retryAfterSeconds: 35,
  });
});
