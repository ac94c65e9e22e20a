import type { AccountServices } from '../services/accounts/account-services.ts';
import type { AgentService } from '../services/agent/agent-service.ts';
import type { KindSummary } from '../services/migrate-store.ts';
import type { ResealSummary } from '../services/reseal-secrets.ts';
import type { RunService } from '../services/run/run-service.ts';

/** What commands work with. */
export interface AdminContext extends AccountServices {
  readonly agents: AgentService;
  readonly runs: RunService;
  close(): Promise<void>;
}

/** What works on stores as wholes and opens them itself. */
export interface StoreTasks {
  /** Moves everything from the embedded store to MongoDB. */
  migrateStore(): Promise<readonly KindSummary[]>;
  /** Seals what an earlier key sealed with the present one. @param by for the audit trail */
  resealSecrets(by: string): Promise<readonly ResealSummary[]>;
}

/** One command of the command line, such as `key rotate ID`. */
export type Command = CommandForm &
  (
    | { run(context: AdminContext, input: CommandInput): Promise<CommandOutput> }
    | { runOnStores(tasks: StoreTasks, input: CommandInput): Promise<CommandOutput> }
  );

interface CommandForm {
  /** Area and verb, `key rotate`, or one word. */
  readonly name: string;
  readonly summary: string;
  /** What follows the verb: `ID` must be given, `[ID]` may be; absent: nothing. */
  readonly operand?: 'ID' | '[ID]';
  readonly flags?: readonly Flag[];
  /** Without any flag the command has nothing to do. */
  readonly needsFlag?: true;
}

/** A flag with a value (`value` is how help shows it) or a switch that sets `field` to a constant (`set`). */
export interface Flag {
  readonly name: string;
  /** Field of the input that it gives. */
  readonly field: string;
  readonly help: string;
  readonly value?: string;
  /** Turns the text into the field's value; as it is unless said. */
  readonly read?: (text: string) => unknown;
  readonly set?: boolean;
  readonly required?: boolean;
}

export interface CommandInput {
  /** Empty when the command takes none. */
  readonly id: string;
  /** By the flags' fields; only what was given. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface CommandOutput {
  /** What `--json` prints. */
  readonly json: unknown;
  /** What people read. */
  readonly text: string;
}

/** Who makes the changes of the command line, in the audit trail. */
export const administrator = 'cli';
