import { ServiceError } from '../domain/errors.ts';
import { pointerTo } from '../services/accounts/field-rules.ts';
import type { AdminContext, Command, CommandInput, CommandOutput, StoreTasks } from './command.ts';
import { commands } from './commands/commands.ts';
import { commandHelp, groupHelp } from './help.ts';
import { parseCommandLine, UsageError } from './parse-command.ts';

export interface AdminResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 0, 1 when the command failed, 2 when it was not understood. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Runs one command line and returns what is to be printed.
 *
 * @param open Opens what most commands work with; called once the command line is understood, and closed after it.
 * @param tasks What the others do instead.
 */
export async function runAdmin(
  args: readonly string[],
  open: () => Promise<AdminContext>,
  tasks: Partial<StoreTasks> = {},
): Promise<AdminResult> {
  let command: Command | undefined;
  try {
    const line = parseCommandLine(args, commands);
    if (line.kind === 'help') return success(groupHelp(line.group));
    if (line.kind === 'command-help') return success(commandHelp(line.command));
    command = line.command;
    const { json, text } =
      'runOnStores' in command
        ? await command.runOnStores({ ...noTasks, ...tasks }, line.input)
        : await runWith(await open(), command, line.input);
    return success(line.json ? JSON.stringify(json) : text);
  } catch (error) {
    if (error instanceof UsageError) return failure(2, `${error.message}\n\n${usageOf(error)}`);
    return failure(1, describe(error, command));
  }
}

async function runWith(
  context: AdminContext,
  command: Extract<Command, { run: unknown }>,
  input: CommandInput,
): Promise<CommandOutput> {
  try {
    return await command.run(context, input);
  } finally {
    await context.close();
  }
}

const noStore = () => Promise.reject(new Error('there is no store'));
const noTasks: StoreTasks = { migrateStore: noStore, resealSecrets: noStore };

function success(text: string): AdminResult {
  return { stdout: `${text}\n`, stderr: '', exitCode: 0 };
}

function failure(exitCode: 1 | 2, message: string): AdminResult {
  return { stdout: '', stderr: `${message}\n`, exitCode };
}

function usageOf({ command }: UsageError): string {
  return command === undefined ? groupHelp(commands) : commandHelp(command);
}

/** Says what was wrong, fields by the flags that give them. */
function describe(error: unknown, command: Command | undefined): string {
  if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : String(error);
  const flagsByPointer = new Map(command?.flags?.map(({ name, field }) => [pointerTo(field), `--${name}`]));
  const lines = error.violations.map(
    ({ pointer, detail }) => `${flagsByPointer.get(pointer) ?? pointer.slice(1)} ${detail}`,
  );
  return lines.length > 0 ? lines.join('\n') : (error.detail ?? error.title);
}
