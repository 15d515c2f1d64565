import type { CsvProfile } from '@tidegate/domain/reconciliation';

/**
 * The account statement as CSV, which has the bank's reference (UTR) and no ids of payouts. Its column names are not in
 * Razorpay's public documentation: compare them with a file of your account (docs/operators/csv-profiles.md).
 */
export const razorpayxCsv: CsvProfile = {
  name: 'razorpayx',
  version: 1,
  encoding: 'utf-8',
  delimiter: ',',
  preambleRows: 20,
  trailerRows: 0,
  decimalSign: '.',
  dateFormat: 'dd/MM/yyyy HH:mm:ss',
  columns: {
    date: 'Transaction Date',
    out: 'Debit',
    in: 'Credit',
    type: 'Type',
    bankRef: 'UTR',
    balanceAfter: 'Balance',
  },
  direction: { by: 'columns' },
  types: {
    payout: { type: 'payout' },
    reversal: { type: 'payout_return' },
    bank_transfer: { type: 'adjustment' },
    fee: { type: 'fee' },
  },
};
