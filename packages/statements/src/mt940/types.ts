import type { StatementLineType } from '@tidegate/domain/reconciliation';
import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'SWIFT, Category 9 message reference guide, MT 940 field 61, subfield 6';

/** The last three letters of subfield 6. `in` and `out` are transfers, which have a type for each direction. */
const mt940Types: readonly TypeWord[] = [
  { word: 'TRF in', type: 'payin', source },
  { word: 'TRF out', type: 'payout', source },
  { word: 'BNK', type: 'fee', source },
  { word: 'BRF', type: 'fee', source },
  { word: 'CHG', type: 'fee', source },
  { word: 'COM', type: 'fee', source },
  { word: 'INT', type: 'adjustment', source },
];

const typeOf = typeTable(mt940Types);

/**
 * `code` is subfield 6, for example `NTRF`; `S` and a number is the SWIFT message of a transfer (S103). `NRTI` is a
 * returned item.
 */
export function mt940TypeOf(code: string, direction: 'in' | 'out', isReversal: boolean): StatementLineType {
  const word = code.slice(1);
  if (isReversal || word === 'RTI') return direction === 'in' ? 'payout_return' : 'refund';
  const isTransfer = word === 'TRF' || /^S(?:1|2)\d\d$/.test(code);
  return typeOf(isTransfer ? `TRF ${direction}` : word) ?? 'unknown';
}
