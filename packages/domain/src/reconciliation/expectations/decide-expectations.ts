import type { Currency } from '../../core/country.ts';
import type { Transfer } from '../../core/ledger.ts';
import { Money } from '../../core/money.ts';
import type { Payment } from '../../core/payment.ts';

/** A movement that a channel's statement has to show. `amount` is decimal text above zero. */
export interface Expectation {
  /** The number of the first of its transfers. */
  transferNo: number;
  channelId: string;
  cause: string;
  direction: 'in' | 'out';
  amount: string;
  orderNo: string | null;
  /** The channel's reference of the payment; null: the ledger has none. */
  channelRef: string | null;
  postedAt: number;
}

export type ChannelTransfer = Pick<
  Transfer,
  'transferNo' | 'debit' | 'credit' | 'amount' | 'cause' | 'orderNo' | 'batchNo' | 'createdAt'
>;
export type BookedPayment = Pick<Payment, 'direction' | 'reference' | 'channelId' | 'amount' | 'use' | 'batchNo'> & {
  /** Null: it belongs to no order. */
  orderNo: string | null;
  /** The order number under which the channel reported it, if it belongs to no order. */
  namedOrderNo?: string | null;
};

interface Movement extends ChannelTransfer {
  channelId: string;
  direction: 'in' | 'out';
}

/**
 * The movements behind a merchant's transfers, in their order. The transfers of one payment (net and fee, or the amount due and the excess) are one
 * movement. Every transfer that touches a channel's account is in exactly one movement. So movements and transfers have the same
 * sum. Only postings of the reconciliation itself are left out, because no statement shows them.
 */
export function expectationsOf(
  transfers: readonly ChannelTransfer[],
  payments: readonly BookedPayment[],
  currency: Currency,
): Expectation[] {
  const moved = transfers.map(movementOf).filter((one) => one !== null);
  const groups = Map.groupBy(moved, (one) => keyOf(one));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const known = payments.filter((payment) => isOf(payment, first));
    return splitByPayment(group, known, currency);
  });
}

function movementOf(transfer: ChannelTransfer): Movement | null {
  if (transfer.cause === 'reconciliation') return null;
  const { debit, credit } = transfer;
  if (debit.startsWith('channel:')) return { ...transfer, channelId: debit.slice('channel:'.length), direction: 'in' };
  if (credit.startsWith('channel:'))
    return { ...transfer, channelId: credit.slice('channel:'.length), direction: 'out' };
  return null;
}

/** Transfers of one order and direction that one transaction has written. What a channel pays for a settlement is one transfer, and so is a top-up. */
function keyOf({ orderNo, channelId, direction, batchNo, cause, transferNo }: Movement): string {
  if (cause.startsWith('settlement_') || cause === 'top_up') return String(transferNo);
  return JSON.stringify([orderNo, channelId, direction, batchNo]);
}

function isOf(payment: BookedPayment, { orderNo, channelId, batchNo, direction }: Movement): boolean {
  return (
    payment.orderNo === orderNo &&
    payment.channelId === channelId &&
    payment.batchNo === batchNo &&
    (orderNo === null || (payment.direction === 'out') === (direction === 'out'))
  );
}

/** Cuts a group where the sum of its transfers reaches the amount of a payment. What is left has no reference. */
function splitByPayment(
  group: readonly Movement[],
  payments: readonly BookedPayment[],
  currency: Currency,
): Expectation[] {
  const left = [...payments];
  const found: Expectation[] = [];
  let open: Movement[] = [];
  for (const movement of group) {
    open.push(movement);
    const sum = sumOf(open, currency);
    const at = left.findIndex(
      (payment) => Money.of(payment.amount, currency).equals(sum) && mayBeOf(payment, movement),
    );
    if (at < 0) continue;
    const [payment] = left.splice(at, 1);
    found.push(expectationOf(open, sum, payment ?? null));
    open = [];
  }
  return open.length === 0 ? found : [...found, expectationOf(open, sumOf(open, currency), null)];
}

/** What suspense pays out for an order settles nothing. A payment that does confirms evidence, of which the ledger has the transfer already. */
function mayBeOf({ use }: BookedPayment, { cause, orderNo }: Movement): boolean {
  return cause !== 'suspense_out' || orderNo === null || use !== 'credited';
}

function sumOf(movements: readonly Movement[], currency: Currency): Money {
  return movements.reduce((sum, { amount }) => sum.plus(Money.of(amount, currency)), Money.zero(currency));
}

function expectationOf(movements: readonly Movement[], amount: Money, payment: BookedPayment | null): Expectation {
  const [first] = movements;
  if (!first) throw new Error('an expectation has at least one transfer');
  const { transferNo, channelId, cause, direction, orderNo, createdAt } = first;
  return {
    transferNo,
    channelId,
    cause,
    direction,
    orderNo: orderNo ?? payment?.namedOrderNo ?? null,
    amount: amount.toString(),
    channelRef: payment?.reference ?? null,
    postedAt: createdAt,
  };
}
