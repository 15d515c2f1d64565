import type { CsvProfile } from '@tidegate/domain/reconciliation';

/** Words with only one possible meaning. A row with another word, for example `Reversed`, is kept for a person to check. */
const status = {
  column: 'Transaction Status',
  money: ['Completed', 'Paid', 'Success', 'Successful'],
  none: ['Failed', 'Pending', 'Expired', 'Declined'],
} as const;

/**
 * The built-in profiles. Neither provider publishes the columns of its export. Compare them with a file of your
 * account first (docs/operators/csv-profiles.md).
 */
export const csvProfiles: readonly CsvProfile[] = [
  {
    name: 'jazzcash',
    version: 2,
    encoding: 'utf-8',
    delimiter: ',',
    preambleRows: 10,
    trailerRows: 0,
    decimalSign: '.',
    dateFormat: 'yyyy-MM-dd HH:mm:ss',
    columns: {
      date: 'Transaction Date Time',
      gross: 'Transaction Amount',
      fee: 'Fee',
      tax: 'Sales Tax',
      currency: 'Currency',
      type: 'Transaction Type',
      channelRef: 'Transaction Reference Number',
      bankRef: 'Retrieval Reference Number',
    },
    direction: { by: 'type' },
    types: {
      payment: { type: 'payin', direction: 'in' },
      refund: { type: 'refund', direction: 'out' },
      settlement: { type: 'settlement', direction: 'out' },
    },
    status,
  },
  {
    name: 'easypaisa',
    version: 2,
    encoding: 'utf-8',
    delimiter: ',',
    preambleRows: 10,
    trailerRows: 0,
    decimalSign: '.',
    dateFormat: 'dd/MM/yyyy hh:mm a',
    columns: {
      date: 'Transaction Date',
      gross: 'Amount',
      fee: 'Fee',
      tax: 'FED',
      type: 'Transaction Type',
      channelRef: 'Transaction ID',
      orderNo: 'Order ID',
    },
    direction: { by: 'type' },
    types: {
      MA: { type: 'payin', direction: 'in' },
      OTC: { type: 'payin', direction: 'in' },
      reversal: { type: 'refund', direction: 'out' },
    },
    status,
  },
];
