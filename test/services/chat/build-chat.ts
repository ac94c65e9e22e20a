import { randomFillSync } from 'node:crypto';
import { openUpstream } from '../../../src/models/openai/open-upstream.ts';
import { type Upstream, type UpstreamModel, upstreamDefaults } from '../../../src/models/openai/upstream.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { Tokenizer } from '../../../src/ports/tokenizer.ts';
import type { Tool, ToolProvider } from '../../../src/ports/tool.ts';
import { type Chat, type ChatOptions, createChat } from '../../../src/services/chat/chat.ts';

export interface ChatBuild extends ChatOptions {
  readonly model?: Partial<UpstreamModel>;
  readonly upstream?: Partial<Upstream>;
  readonly tools?: readonly Tool[];
  readonly toolProvider?: ToolProvider;
}

export interface ChatParts extends ChatBuild {
  readonly store: Store;
  readonly baseUrl: string;
  readonly tokenizer: Tokenizer;
  readonly clock: Clock;
  readonly report: (message: string, cause: unknown) => void;
}

const model: UpstreamModel = {
  id: 'large',
  upstreamId: 'large',
  contextTokens: 8_000,
  completionTokens: 100,
  completionParameter: 'max_tokens',
  supportsTools: true,
  streamsUsage: true,
};

/** Builds the chat service over a model server with the models `large` and `small`. */
export function buildChat(parts: ChatParts): { chat: Chat; close(): Promise<void> } {
  const { store, tokenizer, clock, report } = parts;
  const models = openUpstream(
    {
      name: 'fake',
      baseUrl: parts.baseUrl,
      apiKey: 'upstream-secret',
      headers: {},
      models: [
        { ...model, ...parts.model },
        { ...model, id: 'small', upstreamId: 'small' },
      ],
      ...upstreamDefaults,
      ...parts.upstream,
    },
    { random: () => 0 },
  );
  const toolProviders = [parts.toolProvider ?? { toolsFor: async () => parts.tools ?? [] }];
  const random = { bytes: (length: number) => randomFillSync(new Uint8Array(length)) };
  const chat = createChat({ store, models, tokenizer, toolProviders, clock, random, report }, parts);
  return {
    chat,
    async close() {
      await chat.close(0);
      await models.close();
    },
  };
}
