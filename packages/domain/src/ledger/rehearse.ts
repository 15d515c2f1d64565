import type { Command } from '../core/commands.ts';
import type { Effect } from '../core/effect.ts';
import { isLockTimeout } from '../database/connection-loss.ts';
import { onConnection } from '../database/transaction.ts';
import { type RehearsalResult, rehearseCommand } from './batch.ts';
import { MerchantHeld } from './held-merchants.ts';
import type { WriterOptions } from './writer-options.ts';

/** What callers need to predict the result of a command. */
export interface RehearsalAccess {
  rehearse(command: Command): Promise<RehearsalResult>;
}

/** The audit record that a change of configuration would write, and what it would do to money and statuses. */
export interface RehearsedChange {
  before: object | null;
  after: object | null;
  effect: Effect;
  /** The version of the configuration that it would change, as `expectedVersion` takes it; null: it would change none. */
  version: string | null;
}

/**
 * Carries a command out in a transaction of its own that is rolled back, with every check of the code and of the
 * database. No worker is woken and nothing is announced. Throws MerchantHeld if another session holds the wallet.
 */
export function openRehearsal(
  options: Pick<WriterOptions, 'pool' | 'sql' | 'rules' | 'scheduleScale' | 'settings'>,
): RehearsalAccess['rehearse'] {
  const { pool, sql, rules, scheduleScale, settings = [] } = options;
  return async (command) => {
    // A person waits for it: as long as the connection allows.
    const locking = { skipHeld: false, lockMs: null, settings };
    const context = { rules, scheduleScale };
    try {
      return await onConnection(pool, (client) => rehearseCommand(client, sql, asReal(command), context, locking));
    } catch (error) {
      if (isLockTimeout(error)) throw new MerchantHeld('another session holds what it is about', { cause: error });
      throw error;
    }
  };
}

/** The command as it would be sent, so that it has events. */
export function asReal<One extends Command>(command: One): One {
  if (!('by' in command) || !command.by) return command;
  const { rehearsal, ...by } = command.by;
  return { ...command, by } as One;
}
