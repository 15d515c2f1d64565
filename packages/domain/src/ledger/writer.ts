import { randomUUID } from 'node:crypto';
import { type Command, keeperOfId, merchantOf } from '../core/commands.ts';
import { openShards } from './choose-shard.ts';
import type { CommandResult } from './decide-batch.ts';
import type { WriterOptions } from './writer-options.ts';

export type { WriterOptions, Written } from './writer-options.ts';

/** The ledger writer: the only way to change a merchant's money or orders. */
export type Commit = (command: Command) => Promise<CommandResult>;

/**
 * Makes the ledger writer. Commands wait in shards, with one transaction in flight per shard; what arrives meanwhile
 * goes into the next. A batch that fails as a whole is retried one by one, so that one bad command does not fail the
 * others. A merchant whose wallet another session holds waits apart.
 */
export function openLedgerWriter(options: WriterOptions): { commit: Commit; drain: () => Promise<void> } {
  const shards = openShards(options);
  return {
    commit: (command) => shards.add(merchantOf(command), withId(command)),
    drain: () => shards.drain(),
  };
}

/** All attempts of a command have the same id. A caller that repeats a command itself makes the id. */
function withId(command: Command): Command {
  return command.id !== undefined || keeperOfId(command) === null ? command : { ...command, id: randomUUID() };
}
