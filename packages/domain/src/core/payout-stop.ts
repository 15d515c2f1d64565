import type { Command } from './commands.ts';
import type { State } from './state.ts';

/**
 * Whether the command may send money out for its merchant, as far as the command alone says. The ledger writer reads only
 * for these whether the merchant's payouts are stopped (ADR 0034).
 */
export function maySendMoney(command: Command): boolean {
  switch (command.type) {
    case 'createPayout':
    case 'claimTask':
    case 'approveSettlement':
    // The claim of an operator, before the transfer at the bank, or of a bank file.
    case 'paySettlement':
    case 'sendSettlement':
      return true;
    case 'claimWork':
      return command.action === 'submit';
    case 'claimRefund':
    case 'claimSettlementPayment':
      return command.action === 'send';
    case 'bookWallet':
      return command.entry === 'SETTLEMENT';
    default:
      return false;
  }
}

/**
 * Whether the command is refused because the payouts of its merchant are stopped. A repeat of what was done before is
 * answered as before. Reports of money that has moved are booked, and payins go on.
 */
export function isStopped({ payoutsStopped, existing, order }: State, command: Command): boolean {
  if (!payoutsStopped || existing !== null || !maySendMoney(command)) return false;
  return command.type !== 'claimWork' || order?.kind === 'payout';
}
