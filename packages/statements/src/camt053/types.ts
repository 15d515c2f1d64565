import type { StatementLineType } from '@tidegate/domain/reconciliation';
import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets, BTC';

/**
 * Sub-families of bank transaction codes. They take precedence over families. `RRTN` and `RPCR` are in `camtTypeOf`.
 */
const subFamilies: readonly TypeWord[] = [
  { word: 'CHRG', type: 'fee', source },
  { word: 'COMM', type: 'fee', source },
  { word: 'FEES', type: 'fee', source },
  { word: 'INTR', type: 'adjustment', source },
];

/** Domain and family: received and issued credit transfers, also real-time. */
const families: readonly TypeWord[] = [
  { word: 'PMNT RCDT', type: 'payin', source },
  { word: 'PMNT RRCT', type: 'payin', source },
  { word: 'PMNT ICDT', type: 'payout', source },
  { word: 'PMNT IRCT', type: 'payout', source },
];

/** Reversals because of a return, and because of a cancellation request. */
const returns = new Set(['RRTN', 'RPCR']);

const bySubFamily = typeTable(subFamilies);
const byFamily = typeTable(families);

export interface BankTransactionCode {
  domain: string;
  family: string;
  subFamily: string;
}

/** `isReturn`: the entry reverses an earlier one, or has the reason of a return. */
export function camtTypeOf(
  { domain, family, subFamily }: BankTransactionCode,
  direction: 'in' | 'out',
  isReturn: boolean,
): StatementLineType {
  if (isReturn || returns.has(subFamily)) return direction === 'in' ? 'payout_return' : 'refund';
  return bySubFamily(subFamily) ?? byFamily(`${domain} ${family}`) ?? 'unknown';
}
