import type { Command } from '../core/commands.ts';
import { isConnectionLoss, isLockTimeout } from '../database/connection-loss.ts';
import { type RehearsalResult, rehearseCommand } from './batch.ts';
import { MerchantHeld } from './held-merchants.ts';
import type { WriterOptions } from './writer-options.ts';

/** What callers need to predict the result of a command. */
export interface RehearsalAccess {
  rehearse(command: Command): Promise<RehearsalResult>;
}

/** The audit record that a change of configuration would write. */
export interface RehearsedChange {
  before: object | null;
  after: object | null;
}

/** How long a rehearsal waits for a lock that another session holds, in ms. */
const lockMs = 500;

/**
 * Carries a command out in a transaction of its own that is rolled back, with every check of the code and of the
 * database. No worker is woken and nothing is announced. Throws MerchantHeld if another session holds the wallet.
 */
export function openRehearsal(
  options: Pick<WriterOptions, 'pool' | 'sql' | 'rules' | 'scheduleScale' | 'settings'>,
): RehearsalAccess['rehearse'] {
  const { pool, sql, rules, scheduleScale, settings = [] } = options;
  return async (command) => {
    const client = await pool.connect();
    let broken = false;
    try {
      const locking = { skipHeld: false, lockMs, settings };
      return await rehearseCommand(client, sql, asReal(command), { rules, scheduleScale }, locking);
    } catch (error) {
      broken = isConnectionLoss(error);
      if (isLockTimeout(error)) throw new MerchantHeld('another session holds what it is about', { cause: error });
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

/** The command as it would be sent, so that it has events. */
function asReal(command: Command): Command {
  if (!('by' in command) || !command.by) return command;
  const { rehearsal, ...by } = command.by;
  return { ...command, by } as Command;
}
