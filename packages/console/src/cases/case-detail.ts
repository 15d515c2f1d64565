import { caseTasks, holdsNoMoney, isOfPayout, isOutgoing, isPlatform } from '../format/case-words.ts';
import { sumAmounts } from '../format/money.ts';
import type { CaseDetailQuery } from '../generated/documents.generated.ts';

/** A case as its page reads it. */
export type CaseDetail = NonNullable<CaseDetailQuery['moneyCase']>;

/** The subject of its audit records and approvals. */
export function subjectOf(caseNo: number | string): string {
  return `case ${caseNo}`;
}

/** What is still out of money that left and of which a part came back; null: nothing came back, or the case is decided. */
export function stillOut({
  state,
  amount,
  cameBack,
}: Pick<CaseDetail, 'state' | 'amount' | 'cameBack'>): string | null {
  return state !== 'OPEN' || cameBack === '0.00' ? null : sumAmounts([amount, `-${cameBack}`]);
}

/** The order that a case is about, in words, if the money can be credited to it: a completed payin takes no more. Null: it cannot. */
export function ownTargetOf({
  kind,
  merchantId,
  order,
}: Pick<CaseDetail, 'kind' | 'merchantId' | 'order'>): string | null {
  if (order) return order.kind === 'PAYIN' && order.status === 'COMPLETED' ? null : `Its order ${order.orderNo}`;
  return isPlatform(merchantId) && kind === 'PAYOUT_RETURNED' ? 'The unknown payout that it is of' : null;
}

/** What an operator has to do about an open case. A completed payin takes no more money. */
export function taskOf({ kind, order }: Pick<CaseDetail, 'kind' | 'order'>): string {
  const isOfPayer = !holdsNoMoney(kind) && !isOutgoing(kind) && !isOfPayout(kind);
  if (isOfPayer && order?.kind === 'PAYIN' && order.status === 'COMPLETED')
    return 'The order is completed. Return the money, or credit it to another order or the wallet if the merchant agrees.';
  return caseTasks[kind];
}
