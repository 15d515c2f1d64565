import { randomUUID } from 'node:crypto';
import { type Command, keeperOfId, merchantOf } from '../core/commands.ts';
import type { CommandResult } from './decide-batch.ts';
import { Shard } from './shard.ts';
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
  const shards = Array.from({ length: options.shards }, () => new Shard(options));
  return {
    commit: (command) => (shards[shardOf(merchantOf(command), shards.length)] as Shard).add(withId(command)),
    drain: async () => {
      await Promise.all(shards.map((shard) => shard.drain()));
    },
  };
}

/** All attempts of a command have the same id. A caller that repeats a command itself makes the id. */
function withId(command: Command): Command {
  return command.id !== undefined || keeperOfId(command) === null ? command : { ...command, id: randomUUID() };
}

/** FNV-1a spreads consecutive numbers evenly, and is much cheaper than a digest. */
function shardOf(merchantId: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < merchantId.length; i += 1) hash = Math.imul(hash ^ merchantId.charCodeAt(i), 0x01000193);
  // The low bits of FNV alone follow the last characters too closely.
  return ((hash ^ (hash >>> 15)) >>> 0) % shards;
}
