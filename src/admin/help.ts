import type { Command, Flag } from './command.ts';

const program = 'npm run -s admin --';

/** Help on a group of commands, or on all. */
export function groupHelp(group: readonly Command[]): string {
  const width = Math.max(...group.map((command) => usage(command).length));
  return [
    'Administers the service, also while it runs: a change takes effect on the next call.',
    '',
    ...group.map((command) => `  ${usage(command).padEnd(width)}  ${command.summary}`),
    '',
    '  --json  print one JSON value on standard output and nothing else',
    '  --help  after any command: its flags',
    '',
    `Usage: ${program} COMMAND [FLAGS]`,
  ].join('\n');
}

/** Help on one command. */
export function commandHelp(command: Command): string {
  const flags = command.flags ?? [];
  const width = Math.max(0, ...flags.map((flag) => flagUsage(flag).length));
  const lines = [
    command.summary,
    '',
    `Usage: ${program} ${usage(command)}${flags.length > 0 ? ' [FLAGS]' : ''}`,
  ];
  if (flags.length > 0) lines.push('');
  for (const flag of flags) {
    lines.push(
      `  ${flagUsage(flag).padEnd(width)}  ${flag.help}${flag.required === true ? ' (required)' : ''}`,
    );
  }
  return lines.join('\n');
}

function usage({ name, operand }: Command): string {
  return operand === undefined ? name : `${name} ${operand}`;
}

function flagUsage({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}
