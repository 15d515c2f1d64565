import type { WalletEntryType } from '../generated/documents.generated.ts';

/** Types of wallet entries in plain words. */
export const entryTypeWords: Readonly<Record<WalletEntryType, string>> = {
  PAYIN: 'Payin',
  PAYOUT: 'Payout paid',
  PAYOUT_FREEZE: 'Payout, money frozen',
  PAYOUT_RELEASE: 'Payout failed, money released',
  PAYOUT_RETURN: 'Payout returned',
  TOP_UP: 'Top-up',
  SETTLEMENT: 'Settlement',
  ADJUSTMENT: 'Correction',
};
