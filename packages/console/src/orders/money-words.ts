import { formatMoney } from '../format/money.ts';
import { orderStatusWords, type Word } from '../format/words.ts';
import type {
  OperatorStep,
  OrderKind,
  OrderMoneyPartsFragment,
  OrderStatus,
  PaymentOutcome,
  PaymentUse,
} from '../generated/documents.generated.ts';

// What the API says of an order's money, in words. Nothing is computed here.

/** What became of a payment. */
const paymentOutcomeWords: Readonly<Record<PaymentOutcome, Word>> = {
  COUNTED: { label: 'Part of the amount', tone: 'info' },
  CREDITED: { label: 'Credited', tone: 'good' },
  CREDITED_IN_PART: { label: 'Credited in part', tone: 'warn' },
  HELD: { label: 'In suspense', tone: 'warn' },
  RETURNING: { label: 'Being sent back', tone: 'info' },
  RETURNED: { label: 'Sent back', tone: 'idle' },
  OUT: { label: 'Left, not covered', tone: 'warn' },
  CHARGED: { label: 'Charged to the merchant', tone: 'good' },
  WRITTEN_OFF: { label: 'Written off', tone: 'idle' },
  GIVEN_BACK: { label: 'Given back', tone: 'idle' },
  COVERED: { label: 'Covered', tone: 'good' },
  EVIDENCE: { label: 'Evidence', tone: 'info' },
  CONFIRMED: { label: 'Confirms a statement', tone: 'idle' },
};

/** Of a payout other parties have the money: what was paid went to the payee, and what came back may have gone on. */
const payoutWords: Partial<Record<PaymentUse, Partial<Record<PaymentOutcome, Word>>>> = {
  CREDITED: { CREDITED: { label: 'Paid to the payee', tone: 'good' } },
  RETURNED: {
    CREDITED: { label: 'Back, credited to the merchant', tone: 'good' },
    CREDITED_IN_PART: { label: 'Back, credited in part', tone: 'warn' },
    HELD: { label: 'Back, in suspense', tone: 'warn' },
    RETURNED: { label: 'Back, and sent out again', tone: 'idle' },
  },
};

/** What became of a payment, in words. */
export function wordOfPayment(
  { use, outcome }: { readonly use: PaymentUse; readonly outcome: PaymentOutcome },
  kind: OrderKind,
): Word {
  return (kind === 'PAYOUT' ? payoutWords[use]?.[outcome] : undefined) ?? paymentOutcomeWords[outcome];
}

/** What operators have to do next. */
export const operatorStepWords: Readonly<Record<OperatorStep, string | null>> = {
  DECIDE_CASES: 'Decide the open cases of this order',
  WAIT_FOR_REFUND: 'Wait until the channel has sent the money back',
  CLEAR_UP_CONTRADICTION: 'Clear up the contradiction in its open case',
  CONFIRM_FUNDS: 'Confirm the funds when they arrive',
  WAIT_FOR_PAYER: 'Wait for the payer',
  WAIT_FOR_REST: 'Wait for the rest',
  WAIT_FOR_PAYOUT: 'Wait for the payout',
  NONE: null,
};

interface OrderOfStory {
  readonly kind: OrderKind;
  readonly currency: string;
  readonly money: OrderMoneyPartsFragment;
}

/** Where the money of an order is, in a sentence; null if there is nothing to tell. */
export function moneyStory({ kind, currency, money }: OrderOfStory): string | null {
  const parts = kind === 'PAYIN' ? payinParts(money, currency) : payoutParts(money, currency);
  if (parts.length === 0) return null;
  const rest = parts.length === 1 ? '' : `, and ${parts.at(-1)}`;
  return `${parts.length === 1 ? parts[0] : parts.slice(0, -1).join(', ')}${rest}.`;
}

function payinParts(money: OrderMoneyPartsFragment, currency: string): string[] {
  const of = (amount: string): string => formatMoney(amount, currency);
  const { asked, arrived, counted, held, returning, credited, creditedOtherwise, returned } = money;
  const isSimple = arrived === '0.00' || (arrived === asked && credited === asked);
  if (isSimple) return [];
  const parts: readonly (readonly [string, string])[] = [
    [counted, 'counts for the order'],
    [credited, 'is credited'],
    [creditedOtherwise, 'was credited otherwise'],
    [held, returning === held ? 'is being sent back to the payer' : 'is in suspense'],
    [returned, 'was sent back to the payer'],
  ];
  return [
    `${of(arrived)} of ${of(asked)} arrived`,
    ...parts.flatMap(([amount, what]) => (amount === '0.00' ? [] : [`${of(amount)} ${what}`])),
  ];
}

function payoutParts({ held, out }: OrderMoneyPartsFragment, currency: string): string[] {
  const of = (amount: string): string => formatMoney(amount, currency);
  return [
    ...(out === '0.00' ? [] : [`${of(out)} has left and is not covered`]),
    ...(held === '0.00' ? [] : [`${of(held)} that came back is in suspense`]),
  ];
}

/** How an order ended without being completed, in a sentence; null for any other order. */
export function endStory({ status, failure }: { status: OrderStatus; failure: string | null }): string | null {
  if (failure === null || (status !== 'FAILED' && status !== 'TIMEOUT' && status !== 'CANCELLED')) return null;
  return `${orderStatusWords[status].label}: ${failure}.`;
}

const ENDED: ReadonlySet<OrderStatus> = new Set(['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED']);

/** Why an order has no notification. Not every end of an order is told to its merchant, so there may be nothing to wait for. */
export function whyNone({ notifyUrl, status }: { notifyUrl: string | null; status: OrderStatus }): string {
  if (!notifyUrl) return 'This order has no address to notify.';
  return ENDED.has(status)
    ? 'The merchant is not notified of this end. It sees the status when it queries the order.'
    : 'The merchant is notified once the order reaches a status that it waits for.';
}
