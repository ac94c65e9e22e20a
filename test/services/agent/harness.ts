import { createAgentService } from '../../../src/services/agent/agent-service.ts';
import { createRunService } from '../../../src/services/run/run-service.ts';
import type { AccountHarness } from '../accounts/harness.ts';

/** The services of agents over the store of the accounts, as the command line has them: nothing runs. */
export function openAgentServices({ deps, store }: AccountHarness) {
  const agentDeps = {
    ...deps,
    store,
    queue: { add: async () => undefined },
    hasMailServer: false,
    report: () => undefined,
  };
  return { agents: createAgentService(agentDeps), runs: createRunService(agentDeps) };
}
