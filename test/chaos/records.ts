/** What clients were told, to be held against the records, the ledger and the model server afterwards. */
export interface ClientRecords {
  /** Ids of runs that were accepted by hand, with their agents'. */
  readonly runs: Map<string, string>;
  /** Of each agent's signed triggers: how many got a definite answer, and how many none. */
  readonly triggers: Map<string, { accepted: number; unknown: number }>;
  /** For each idempotency key: whose call it was and the different answers that it got. */
  readonly keyed: Map<string, { readonly keyId: string; readonly answers: Set<string> }>;
  /** Markers of chats without an idempotency key, with their key. */
  readonly chats: Map<string, string>;
  readonly conversations: Conversation[];
  readonly hours: Map<string, HourCount>;
}

export interface Conversation {
  readonly name: string;
  readonly id: string;
  /** Markers of turns that were answered to their end. */
  readonly answered: Set<string>;
}

/** The calls of one key in one hour. */
export interface HourCount {
  readonly keyId: string;
  readonly limit: number;
  /** Of accepted calls, the numbers that they were given. */
  readonly numbers: number[];
  refused: number;
}

export function createRecords(): ClientRecords {
  return {
    runs: new Map(),
    triggers: new Map(),
    keyed: new Map(),
    chats: new Map(),
    conversations: [],
    hours: new Map(),
  };
}
