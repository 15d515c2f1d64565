import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'BAI, Cash Management Balance Reporting Specifications version 2, appendix A';

/** Codes of transactions. 100 to 399 are credits, 400 to 699 debits. */
const bai2Types: readonly TypeWord[] = [
  { word: '142', type: 'payin', source }, // ACH credit received
  { word: '165', type: 'payin', source }, // preauthorised ACH credit
  { word: '169', type: 'payin', source }, // miscellaneous ACH credit
  { word: '195', type: 'payin', source }, // incoming money transfer
  { word: '208', type: 'payin', source }, // international money transfer, credit
  { word: '451', type: 'payout', source }, // ACH debit received
  { word: '455', type: 'payout', source }, // preauthorised ACH debit
  { word: '495', type: 'payout', source }, // outgoing money transfer
  { word: '508', type: 'payout', source }, // international money transfer, debit
  { word: '255', type: 'payout_return', source }, // check posted and returned
  { word: '257', type: 'payout_return', source }, // ACH return item, credit
  { word: '266', type: 'payout_return', source }, // return item
  { word: '555', type: 'refund', source }, // deposited item returned
  { word: '557', type: 'refund', source }, // ACH return item, debit
  { word: '354', type: 'adjustment', source }, // interest credit
  { word: '654', type: 'adjustment', source }, // interest debit
  { word: '398', type: 'fee', source }, // miscellaneous fee refund
  { word: '661', type: 'fee', source }, // account analysis fee
  { word: '698', type: 'fee', source }, // miscellaneous fees
];

export const bai2TypeOf = typeTable(bai2Types);

/** The direction of the money of a code; null for codes of loans (700 to 799) and codes of the bank itself (900 to 999). */
export function directionOf(code: string): 'in' | 'out' | null {
  const number = Number(code);
  if (number >= 100 && number <= 399) return 'in';
  return number >= 400 && number <= 699 ? 'out' : null;
}
