import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'BAI, Cash Management Balance Reporting Specifications version 2, appendix A';

/** Codes of transactions. 100 to 399 are credits, 400 to 699 debits. */
const bai2Types: readonly TypeWord[] = [
  { word: '142', type: 'payin', source },
  { word: '165', type: 'payin', source },
  { word: '169', type: 'payin', source },
  { word: '195', type: 'payin', source },
  { word: '208', type: 'payin', source },
  { word: '451', type: 'payout', source },
  { word: '455', type: 'payout', source },
  { word: '495', type: 'payout', source },
  { word: '508', type: 'payout', source },
  { word: '255', type: 'payout_return', source },
  { word: '257', type: 'payout_return', source },
  { word: '266', type: 'payout_return', source },
  { word: '555', type: 'refund', source },
  { word: '557', type: 'refund', source },
  { word: '354', type: 'adjustment', source },
  { word: '654', type: 'adjustment', source },
  { word: '398', type: 'fee', source },
  { word: '661', type: 'fee', source },
  { word: '698', type: 'fee', source },
];

export const bai2TypeOf = typeTable(bai2Types);

/** The direction of the money of a code; null for codes of loans and of the bank itself. */
export function directionOf(code: string): 'in' | 'out' | null {
  const number = Number(code);
  if (number >= 100 && number <= 399) return 'in';
  return number >= 400 && number <= 699 ? 'out' : null;
}
