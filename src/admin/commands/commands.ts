import type { Command } from '../command.ts';
import { agentCommands } from './agent.ts';
import { auditCommands } from './audit.ts';
import { connectionCommands } from './connection.ts';
import { keyCommands } from './key.ts';
import { migrateStoreCommand } from './migrate-store.ts';
import { orgCommands } from './org.ts';
import { secretsCommands } from './secrets.ts';
import { userCommands } from './user.ts';

/** Every command, in the order of help. An area is a file of its own beside this one. */
export const commands: readonly Command[] = [
  ...orgCommands,
  ...userCommands,
  ...keyCommands,
  ...agentCommands,
  ...connectionCommands,
  ...auditCommands,
  ...secretsCommands,
  migrateStoreCommand,
];
