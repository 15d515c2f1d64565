import type { Word } from '../format/words.ts';
import type { CaseKind, CaseState, RefundState } from '../generated/documents.generated.ts';

/** Why a case was opened, in a few words. */
export const caseKindWords: Readonly<Record<CaseKind, string>> = {
  LATE: 'Paid late',
  DOUBLE: 'Paid twice',
  WRONG_AMOUNT: 'Wrong amount',
  PARTS_OF_UNPAID: 'Parts of an unpaid order',
  UNMATCHED: 'Matches no order',
  PAYOUT_RETURNED: 'Payout came back',
  PAYOUT_PAID_AGAIN: 'Payout paid again',
  PAYOUT_WRONG_AMOUNT: 'Payout of a wrong amount',
  PAYOUT_UNDERPAID: 'Payout underpaid',
  SETTLEMENT_FAILED: 'Settlement failed',
  CONTRADICTION: 'Contradiction',
};

/** What happened, and what an operator has to find out. */
export const caseStories: Readonly<Record<CaseKind, string>> = {
  LATE: 'The money arrived after the order had ended. Credit it, which completes the order, or return it to the payer.',
  DOUBLE: 'The payer paid a second time. Return the money, or credit it if the merchant agrees.',
  WRONG_AMOUNT: 'The payer paid another amount than the order asks for. Credit it with further money, or return it.',
  PARTS_OF_UNPAID: 'The payer paid a part, and the order ended unpaid. Credit all parts together, or return the money.',
  UNMATCHED: 'The channel reports money that belongs to no order. Find the order or the merchant that it is for.',
  PAYOUT_RETURNED: 'The bank sent the money of this payout back. Credit it to the wallet of the merchant.',
  PAYOUT_PAID_AGAIN: 'The channel paid a payout that had already ended. Ask the channel to give the money back.',
  PAYOUT_WRONG_AMOUNT:
    'The channel paid another amount than asked for, and the payout is still open. A payout that is resolved as paid covers it.',
  PAYOUT_UNDERPAID: 'The channel paid less than operators had settled. Credit the difference to the merchant.',
  SETTLEMENT_FAILED:
    'A settlement came back, and its money is in the wallet again. Find out what is wrong with the bank account.',
  CONTRADICTION: 'The channel reports another outcome than that of the order. No money is held. Ask the channel.',
};

const TO_PAYER = 'The money was returned to the payer';
const FROM_CHANNEL = 'The channel gave the money back';

/** The meaning of returning the money of a case, or of closing it. */
export const returnMeanings: Readonly<Record<CaseKind, string>> = {
  LATE: TO_PAYER,
  DOUBLE: TO_PAYER,
  WRONG_AMOUNT: TO_PAYER,
  PARTS_OF_UNPAID: TO_PAYER,
  UNMATCHED: TO_PAYER,
  PAYOUT_RETURNED: 'The channel sent the money out again',
  PAYOUT_PAID_AGAIN: FROM_CHANNEL,
  PAYOUT_WRONG_AMOUNT: FROM_CHANNEL,
  PAYOUT_UNDERPAID: 'The rest was paid after all',
  SETTLEMENT_FAILED: 'The reason is found, no money moves',
  CONTRADICTION: 'The contradiction is cleared up, no money moves',
};

/** States of cases. */
export const caseStateWords: Readonly<Record<CaseState, Word>> = {
  OPEN: { label: 'Open', tone: 'warn' },
  RETURNING: { label: 'Returning', tone: 'info' },
  CREDITED: { label: 'Credited', tone: 'good' },
  RETURNED: { label: 'Returned', tone: 'idle' },
};

/** States of refunds. */
export const refundStateWords: Readonly<Record<RefundState, Word>> = {
  REQUESTED: { label: 'No definite answer yet', tone: 'warn' },
  ACCEPTED: { label: 'Accepted by the channel', tone: 'info' },
  REFUNDED: { label: 'Money is back', tone: 'good' },
  FAILED: { label: 'Nothing was refunded', tone: 'bad' },
};

/** Whether a case only asks for a decision: it holds no money that could be credited or returned. */
export function holdsNoMoney(kind: CaseKind): boolean {
  return kind === 'CONTRADICTION' || kind === 'SETTLEMENT_FAILED';
}

/** Merchant numbers of money that no merchant is known for. */
export function isPlatform(merchantId: string): boolean {
  return merchantId.startsWith('PLATFORM');
}
