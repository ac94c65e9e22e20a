import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Command, CommandInput, Flag } from './command.ts';
import { readText } from './flag-values.ts';

/** The command line is not one of the documented forms. */
export class UsageError extends Error {
  /** The command that it was about, when that much was clear. */
  readonly command: Command | undefined;
  constructor(message: string, command?: Command) {
    super(message);
    this.name = 'UsageError';
    this.command = command;
  }
}

export type ParsedLine =
  | { readonly kind: 'help'; readonly group: readonly Command[] }
  | { readonly kind: 'command-help'; readonly command: Command }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput; readonly json: boolean };

/** @throws UsageError */
export function parseCommandLine(args: readonly string[], commands: readonly Command[]): ParsedLine {
  const wantsHelp = args.includes('--help') || args.includes('-h');
  const [area = '', _verb = ''] = args.filter((arg) => !arg.startsWith('-'));
  const command =
    args[0] === area ? (find(commands, area) ?? find(commands, `${area} ${args[1]}`)) : undefined;
  if (command !== undefined) {
    if (wantsHelp) return { kind: 'command-help', command };
    return { kind: 'run', command, ...parseFlags(command, args.slice(command.name.split(' ').length)) };
  }
  const group = commands.filter(({ name }) => name.startsWith(`${area} `));
  if (wantsHelp) return { kind: 'help', group: area !== '' && group.length > 0 ? group : commands };
  if (area === '') throw new UsageError('a command is missing');
  if (group.length === 0) throw new UsageError(`there is no command ${args.slice(0, 2).join(' ')}`);
  throw new UsageError(`${area} takes ${group.map(({ name }) => name.slice(area.length + 1)).join(', ')}`);
}

function find(commands: readonly Command[], name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

function parseFlags(command: Command, args: readonly string[]): { input: CommandInput; json: boolean } {
  const flags = command.flags ?? [];
  const { values, positionals } = parse(command, args);
  const { json = false, ...given } = values;
  if (positionals.length > (command.operand === undefined ? 0 : 1)) {
    throw new UsageError(`there is no place for "${positionals.at(-1)}"`, command);
  }
  const [id = ''] = positionals;
  if (command.operand === 'ID' && id === '') throw new UsageError('the ID is missing', command);
  return { input: { id, fields: readGiven(command, flags, given) }, json: json === true };
}

function parse(command: Command, args: readonly string[]) {
  const options: ParseArgsOptionsConfig = { json: { type: 'boolean' } };
  for (const flag of command.flags ?? []) {
    options[flag.name] = { type: flag.value === undefined ? 'boolean' : 'string' };
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message, command);
  }
}

function readGiven(
  command: Command,
  flags: readonly Flag[],
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const setBy = new Map<string, string>();
  for (const { name, field, value, read: readValue = readText, set, required } of flags) {
    const text = given[name];
    if (text === undefined) {
      if (required === true) throw new UsageError(`--${name} is required`, command);
      continue;
    }
    const other = setBy.get(field);
    if (other !== undefined) throw new UsageError(`--${other} and --${name} exclude each other`, command);
    setBy.set(field, name);
    fields[field] = value === undefined ? set : readValue(String(text));
  }
  if (command.needsFlag === true && setBy.size === 0) throw new UsageError('nothing to change', command);
  return fields;
}
