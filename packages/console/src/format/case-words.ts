import type { CaseKind, CaseState, RefundState } from '../generated/documents.generated.ts';
import type { Word } from './words.ts';

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

/** What happened. */
export const caseStories: Readonly<Record<CaseKind, string>> = {
  LATE: 'The money arrived after the order had ended.',
  DOUBLE: 'The payer paid a second time.',
  WRONG_AMOUNT: 'The payer paid another amount than the order asks for.',
  PARTS_OF_UNPAID: 'The payer paid a part, and the order ended unpaid.',
  UNMATCHED: 'The channel reports money that belongs to no order.',
  PAYOUT_RETURNED: 'The bank sent the money of this payout back.',
  PAYOUT_PAID_AGAIN: 'Money left for a payout that had already ended.',
  PAYOUT_WRONG_AMOUNT: 'The channel paid another amount than asked for.',
  PAYOUT_UNDERPAID: 'The channel paid less than operators had settled.',
  SETTLEMENT_FAILED: 'A settlement came back, and its money is in the wallet again.',
  CONTRADICTION: 'The channel reports another outcome than that of the order. No money is held.',
};

/** What an operator has to do about a case while it is open. */
export const caseTasks: Readonly<Record<CaseKind, string>> = {
  LATE: 'Credit it, which completes the order, or return it to the payer.',
  DOUBLE: 'Return the money, or credit it if the merchant agrees.',
  WRONG_AMOUNT: 'Credit it with further money, or return it.',
  PARTS_OF_UNPAID: 'Credit all parts together, or return the money.',
  UNMATCHED: 'Find the order or the merchant that it is for.',
  PAYOUT_RETURNED: 'Credit it to the wallet of the merchant.',
  PAYOUT_PAID_AGAIN: 'Ask for it back; if it does not come, charge the merchant or write it off.',
  PAYOUT_WRONG_AMOUNT: 'While the payout is open, resolving it as paid covers this money.',
  PAYOUT_UNDERPAID: 'Credit the difference to the merchant.',
  SETTLEMENT_FAILED: 'Find out what is wrong with the bank account.',
  CONTRADICTION: 'Ask the channel.',
};

/** A decision that only records what happened to the money elsewhere, or that closes a case without money. */
interface ByHand {
  readonly label: string;
  /** The meaning of the decision, in a sentence. */
  readonly means: string;
  readonly after: string;
}

const toPayer: ByHand = {
  label: 'Returned by hand',
  means: 'The money was returned to the payer',
  after: 'The case is closed: the money is returned to the payer.',
};
const fromChannel: ByHand = {
  label: 'Given back',
  means: 'The channel gave the money back',
  after: 'The case is closed: the channel gave the money back.',
};

/** What `returnCase` by hand says of each kind. Who has the money then differs. */
export const byHandWords: Readonly<Record<CaseKind, ByHand>> = {
  LATE: toPayer,
  DOUBLE: toPayer,
  WRONG_AMOUNT: toPayer,
  PARTS_OF_UNPAID: toPayer,
  UNMATCHED: toPayer,
  PAYOUT_RETURNED: {
    label: 'Sent out again',
    means: 'The channel sent the money out again. The merchant does not get it',
    after: 'The case is closed: the channel sent the money out again.',
  },
  PAYOUT_PAID_AGAIN: fromChannel,
  PAYOUT_WRONG_AMOUNT: fromChannel,
  PAYOUT_UNDERPAID: {
    label: 'Paid after all',
    means: 'The rest was paid after all. The merchant does not get it',
    after: 'The case is closed: the rest was paid after all.',
  },
  SETTLEMENT_FAILED: {
    label: 'Close the case',
    means: 'The reason is found, no money moves',
    after: 'The case is closed.',
  },
  CONTRADICTION: {
    label: 'Close the case',
    means: 'The contradiction is cleared up, no money moves',
    after: 'The case is closed.',
  },
};

/** States of cases. */
export const caseStateWords: Readonly<Record<CaseState, Word>> = {
  OPEN: { label: 'Open', tone: 'warn' },
  RETURNING: { label: 'Returning', tone: 'info' },
  CREDITED: { label: 'Credited', tone: 'good' },
  RETURNED: { label: 'Returned', tone: 'idle' },
  CHARGED: { label: 'Charged to the merchant', tone: 'good' },
  WRITTEN_OFF: { label: 'Written off', tone: 'idle' },
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

/** Whether a case is about money that left. */
export function isOutgoing(kind: CaseKind): boolean {
  return kind === 'PAYOUT_PAID_AGAIN' || kind === 'PAYOUT_WRONG_AMOUNT';
}

/** Whether a case is about money of a payout that came back, or that was not paid out. It can only be credited to its payout. */
export function isOfPayout(kind: CaseKind): boolean {
  return kind === 'PAYOUT_RETURNED' || kind === 'PAYOUT_UNDERPAID';
}

/** Merchant numbers of money that no merchant is known for. */
export function isPlatform(merchantId: string): boolean {
  return merchantId.startsWith('PLATFORM');
}
