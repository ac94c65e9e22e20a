import { type Agent, scopesOfRun } from '../../domain/agent.ts';
import type { Organization, User } from '../../domain/organization.ts';
import type { Run, RunTask } from '../../domain/run.ts';
import type { TriggerType } from '../../domain/run-status.ts';
import { systemPrompt } from '../../domain/system-prompt.ts';
import { payloadBlock } from '../../domain/webhook-payload.ts';
import type { TurnRequest } from '../chat/turn-request.ts';

/** Returns the account of the ledger that an agent's runs are counted on, within its organization's pool. */
export function agentAccountId(agentId: string): string {
  return `agent:${agentId}`;
}

/** Returns what a run of the agent does when it starts now. */
export function taskOf(agent: Agent, triggerType: TriggerType): RunTask {
  const { prompt, model, mode } = agent;
  return { prompt, model, mode, scopes: scopesOfRun(agent, triggerType) };
}

export interface AgentTurn {
  readonly agent: Agent;
  readonly run: Run;
  readonly owner: User;
  readonly organization: Organization;
  /** Fresh random hexadecimal digits. */
  readonly marker: string;
}

/**
 * Returns the turn that a run is: the saved prompt, under the limits of owner and organization, with the tools of the
 * agent's scopes. It has the run's id as its idempotency key, so that whoever goes on with the run goes on with the turn.
 */
export function agentTurnRequest({ agent, run, owner, organization, marker }: AgentTurn): TurnRequest {
  const { prompt, model, mode, scopes } = run.task ?? taskOf(agent, run.triggerType);
  const canWrite = scopes.some((scope) => scope.endsWith('.write'));
  const instructions = [
    systemPrompt(organization.pinnedMode ?? mode, scopes.length > 0),
    `You run unattended as the agent ${JSON.stringify(agent.name)}: nobody can answer questions. Do the task as far as you can and report the result.`,
  ];
  return {
    kind: 'agent',
    principal: {
      apiKey: { id: agentAccountId(agent.id), scopes, models: [], tokenBudget: null },
      actor: owner,
      organization,
    },
    input: {
      messages: [{ role: 'user', content: prompt }],
      ...(model !== null && { model }),
      mode,
      permission: canWrite ? 'auto' : 'read',
    },
    isKept: false,
    isStreamed: false,
    idempotencyKey: run.id,
    systemPrompt: [
      ...(run.payload === null ? [] : [payloadBlock(run.payload, marker), '']),
      ...instructions,
    ].join('\n'),
  };
}
