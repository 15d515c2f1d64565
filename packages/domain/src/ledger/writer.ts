import { randomUUID } from 'node:crypto';
import { type Command, keeperOfId } from '../core/commands.ts';
import { CommandQueue } from './command-queue.ts';
import type { CommandResult } from './decide-batch.ts';
import type { WriterOptions } from './writer-options.ts';

export type { WriterOptions, Written } from './writer-options.ts';

/** The ledger writer: the only way to change a merchant's money or orders. */
export type Commit = (command: Command) => Promise<CommandResult>;

/**
 * Makes the ledger writer. Commands wait in a queue; what arrives during a transaction
 * goes into the next. A batch that fails as a whole is retried one by one, so that one bad command does not fail the
 * others. A merchant whose wallet another session holds waits apart.
 */
export function openLedgerWriter(options: WriterOptions): { commit: Commit; drain: () => Promise<void> } {
  const queue = new CommandQueue(options);
  return {
    commit: (command) => queue.add(withId(command)),
    drain: () => queue.drain(),
  };
}

/** All attempts of a command have the same id. A caller that repeats a command itself makes the id. */
function withId(command: Command): Command {
  return command.id !== undefined || keeperOfId(command) === null ? command : { ...command, id: randomUUID() };
}
