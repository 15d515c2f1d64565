import type { Command } from '../core/commands.ts';
import type { CommandResult } from './decide-batch.ts';
import { Shard } from './shard.ts';
import type { WriterOptions } from './writer-options.ts';

export interface Shards {
  add(merchantId: string, command: Command): Promise<CommandResult>;
  /** Resolves when every command is answered. */
  drain(): Promise<void>;
}

/** The shard of a merchant with unanswered commands. */
interface Place {
  shard: Shard;
  unanswered: number;
}

/**
 * Opens the shards of a ledger writer. All unanswered commands of one merchant are in the same shard: in two shards its
 * transactions would wait for each other. A transaction has a fixed cost, so few commands cost less in one transaction
 * than in several. Other shards than the first are used from `oneShardUpTo` unanswered commands on, until
 * fewer than half of that are left (ADR 0024).
 */
export function openShards({ oneShardUpTo = 0, ...options }: WriterOptions): Shards {
  const shards = Array.from({ length: options.shards }, () => new Shard(options));
  const places = new Map<string, Place>();
  let unanswered = 0;
  let areAllUsed = false;
  const choose = (merchantId: string): Place => {
    areAllUsed = areAllUsed ? unanswered >= oneShardUpTo / 2 : unanswered >= oneShardUpTo;
    const number = areAllUsed ? numberOf(merchantId, shards.length) : 0;
    const place = { shard: shards[number] as Shard, unanswered: 0 };
    places.set(merchantId, place);
    return place;
  };
  return {
    add: (merchantId, command) => {
      const place = places.get(merchantId) ?? choose(merchantId);
      place.unanswered += 1;
      unanswered += 1;
      const answered = (): void => {
        unanswered -= 1;
        place.unanswered -= 1;
        if (place.unanswered === 0) places.delete(merchantId);
      };
      const result = place.shard.add(command);
      result.then(answered, answered);
      return result;
    },
    drain: async () => {
      await Promise.all(shards.map((shard) => shard.drain()));
    },
  };
}

/** FNV-1a spreads consecutive numbers evenly, and is much cheaper than a digest. */
function numberOf(merchantId: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < merchantId.length; i += 1) hash = Math.imul(hash ^ merchantId.charCodeAt(i), 0x01000193);
  // The low bits of FNV alone follow the last characters too closely.
  return ((hash ^ (hash >>> 15)) >>> 0) % shards;
}
