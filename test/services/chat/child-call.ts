import type { Tool } from '../../../src/ports/tool.ts';
import type { ChatCall } from '../../../src/services/chat/chat.ts';
import { anApiKey, anOrganization, aUser } from '../../contract/records.ts';

export const nowMs = Date.UTC(2026, 5, 15, 10, 30);

/** The call that a child process makes, and its parent repeats. */
export const aChildCall: ChatCall = {
  principal: {
    apiKey: anApiKey({ models: ['large'], tokenBudget: 100_000 }),
    actor: aUser({ usageLimit: { unit: 'tokens', limit: 100_000, window: 'day' } }),
    organization: anOrganization({ tokenPool: 100_000 }),
  },
  input: { messages: [{ role: 'user', content: 'Hello' }], mode: 'auto', permission: 'auto' },
  signal: new AbortController().signal,
};

/** A tool that writes. */
export function childTools(write: (text: string) => void): readonly Tool[] {
  return [
    {
      name: 'post',
      description: 'Posts',
      parameters: { type: 'object' },
      writes: () => true,
      async run() {
        write('posted\n');
        return 'posted';
      },
    },
  ];
}
