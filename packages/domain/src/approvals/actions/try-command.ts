import { type Command, merchantOf, otherMerchantOf } from '../../core/commands.ts';
import type { Currency } from '../../core/country.ts';
import { decide } from '../../core/decide.ts';
import { firstBatchHash } from '../../core/ledger-batch.ts';
import type { Rejection } from '../../core/rejection.ts';
import { stateOf } from '../../core/state.ts';
import type { Wallet } from '../../core/wallet.ts';
import { orderRules } from '../../countries/index.ts';
import type { Subject } from '../operation.ts';

/**
 * The rows on which a command is tried. `balance`: that of the wallet. If it is left out, the balance is enough,
 * because the ledger keeps the money of orders frozen.
 */
export interface TriedOn extends Subject {
  currency: Currency;
  balance?: Pick<Wallet, 'available' | 'frozen'>;
  /** The amount that the operator has moved alone today. */
  movedToday: string;
  now: number;
}

/** The refusal of the ledger writer for a command, without effect; null: it would accept it. */
export function tryCommand(
  command: Command,
  { order, found, currency, balance, movedToday, now }: TriedOn,
): Rejection | null {
  const other = otherMerchantOf(command);
  const actor = 'by' in command ? (command.by?.actor ?? '') : '';
  const state = stateOf(walletOf(merchantOf(command), currency, balance), {
    order,
    otherWallet: other === null ? null : walletOf(other, currency),
    cases: found ? [found] : [],
    transitionCount: 1,
    operatorDay: { operatorId: actor, day: '', currency, amount: movedToday },
  });
  const decided = decide(state, command, { now, scheduleScale: 1, rules: orderRules });
  return typeof decided === 'string' ? decided : null;
}

/** A balance that is far more than any order freezes. */
const enough = { available: '999999999999.00', frozen: '999999999999.00' };

function walletOf(
  merchantId: string,
  currency: Currency,
  balance: Pick<Wallet, 'available' | 'frozen'> & Partial<Pick<Wallet, 'withheld'>> = enough,
): Wallet {
  const counters = { lastEntryNo: 0, lastTransferNo: 0, lastCaseNo: 0, lastAuditNo: 0, lastBatchNo: 0 };
  const times = { updatedAt: 0, recordedAt: 0 };
  return { merchantId, currency, withheld: '0.00', ...balance, ...counters, lastBatchHash: firstBatchHash, ...times };
}
