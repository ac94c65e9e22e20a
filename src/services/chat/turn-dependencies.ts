import type { TokenUsage } from '../../domain/chat.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConversationStore } from '../../ports/conversation-store.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { ModelCatalog } from '../../ports/model.ts';
import type { Random } from '../../ports/random.ts';
import type { Tokenizer } from '../../ports/tokenizer.ts';
import type { ToolProvider } from '../../ports/tool.ts';
import type { TurnStore } from '../../ports/turn-store.ts';
import type { UsageWindows } from '../../ports/usage-windows.ts';
import type { AppliedNotes } from './applied-notes.ts';
import type { ConversationLocks } from './conversation-lock.ts';
import type { LeaseKeeper } from './lease-keeper.ts';

export interface TurnStores {
  readonly turns: TurnStore;
  readonly conversations: ConversationStore;
  readonly ledger: Ledger;
  readonly usageWindows: UsageWindows;
}

export interface TurnDependencies {
  readonly store: TurnStores;
  readonly models: ModelCatalog;
  readonly tokenizer: Tokenizer;
  readonly toolProviders: readonly ToolProvider[];
  readonly clock: Clock;
  readonly random: Random;
  /** Told of failures whose cause no caller sees. */
  readonly report: (message: string, cause: unknown) => void;
  /** Told of the tokens of each completion, for figures. */
  readonly countTokens?: (model: string, usage: TokenUsage) => void;
}

/** What all turns of a process share. */
export interface TurnContext extends TurnDependencies {
  readonly locks: ConversationLocks;
  readonly leases: LeaseKeeper;
  readonly timeLimits: { readonly roundMs: number; readonly toolMs: number };
  readonly appliedNotes: AppliedNotes;
}
