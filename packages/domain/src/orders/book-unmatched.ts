import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { BookUnmatched } from '../core/commands.ts';
import { platformMerchantOf } from '../core/country.ts';
import type { OrderKind } from '../core/order.ts';
import type { Payment } from '../core/payment.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { isBookedUnmatched, isBookedWithoutOrder, isConfirmation } from '../core/unmatched.ts';
import { countries, currencyOf } from '../countries/index.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { findOrderByNumber } from './find-order.ts';
import { unmatchedByReferenceSql } from './queries.ts';
import { readOrderHistory } from './read-order-history.ts';

interface Unmatched {
  kind: OrderKind;
  orderNo: string;
  currency: string;
  answer: ChannelAnswer;
  /** The statement line that shows it, as `file/row/part`. Left out: the channel reports it. */
  line?: string;
  /** With a line: how many such payments of the order number other lines explain. */
  explained?: number;
}

type Movement = Pick<BookUnmatched, 'reference' | 'amount' | 'direction'>;

type AccountPayment = Pick<Payment, 'orderNo' | 'direction' | 'reference' | 'channelId' | 'use' | 'line'>;

type UnmatchedReads = LedgerReadAccess & DatabaseAccess & ChannelAccess & DirectoryAccess;

/**
 * Books money that a channel reports for an order that it does not have: it goes to the suspense of the country's
 * platform tenant, with a case (decisions 5.5). Booked once, however often it is reported.
 */
export async function bookUnmatched(
  domain: UnmatchedReads & LedgerAccess & Telemetry,
  channelId: string,
  unmatched: Unmatched,
): Promise<void> {
  const { reported, notBooked, confirming } = await readUnmatched(domain, channelId, unmatched);
  if (reported.length === 0) {
    const about = { channelId, orderNo: unmatched.orderNo.slice(0, 40), outcome: unmatched.answer.outcome };
    domain.log.warn(about, 'a channel reported an order that it does not have');
  }
  for (const command of [...confirming, ...notBooked]) await domain.commit(command);
}

/**
 * The money of such a report, as commands: which of it is not booked yet, and which of it only confirms what a statement has shown. Two channels of one account at a provider
 * both report a payment: what the order has from a channel of the same adapter counts as booked. So does what one of them
 * reported without an order, as statements do.
 */
export async function readUnmatched(
  domain: UnmatchedReads,
  channelId: string,
  { kind, orderNo, currency, answer, line, explained = 0 }: Unmatched,
): Promise<Record<'reported' | 'notBooked' | 'confirming', BookUnmatched[]>> {
  const country = countries.find((one) => currencyOf[one] === currency);
  const merchantId = country && platformMerchantOf(country);
  const movements = merchantId === undefined ? [] : movementsOf(kind, answer);
  if (merchantId === undefined || movements.length === 0) return { reported: [], notBooked: [], confirming: [] };
  const reported = movements.map(
    (movement): BookUnmatched => ({
      type: 'bookUnmatched',
      merchantId,
      channelId,
      orderNo,
      ...movement,
      ...(line !== undefined && { line, explained }),
    }),
  );
  const [ofOrder, { payments }, elsewhere] = await Promise.all([
    referencesOf(domain, channelId, orderNo),
    readOrderHistory(domain, { merchantId, orderNo }),
    paymentsOfAccount(
      domain,
      merchantId,
      channelId,
      reported.map(({ reference }) => reference),
    ),
  ]);
  const confirming = reported.filter((command) => isConfirmation(payments, command));
  const notBooked = reported.filter(
    (command) =>
      !confirming.includes(command) &&
      !ofOrder.has(command.reference) &&
      !isBookedUnmatched(payments, command) &&
      !isBookedWithoutOrder(elsewhere, command),
  );
  return { reported, notBooked, confirming };
}

/** The movements of money in an answer of the channel. */
export function movementsOf(kind: OrderKind, answer: ChannelAnswer): Movement[] {
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  const direction = kind === 'payin' ? 'in' : 'out';
  const movements = payments.map(({ reference, amount }): Movement => ({ reference, amount, direction }));
  if (answer.outcome !== 'returned') return movements;
  const { reference, amount } = answer.returned;
  return [...movements, { reference, amount, direction: 'back' }];
}

/** What the platform tenant has under these references from channels of the same adapter, as if all were this channel's. */
async function paymentsOfAccount(
  domain: UnmatchedReads,
  merchantId: string,
  channelId: string,
  references: readonly string[],
): Promise<AccountPayment[]> {
  const { rows } = await domain.database.pool.query<AccountPayment>(unmatchedByReferenceSql, [merchantId, references]);
  const isSame = await isOfAdapter(domain, channelId);
  const same = await Promise.all(rows.map((row) => isSame(row.channelId)));
  return rows.filter((_, i) => same[i]).map((row) => ({ ...row, channelId }));
}

/** Whether a channel has the same adapter as this one. */
async function isOfAdapter({ channels }: ChannelAccess, channelId: string) {
  const here = await channels(channelId);
  return async (other: string): Promise<boolean> =>
    other === channelId || (await channels(other))?.adapter === here?.adapter;
}

/** The payments that an order of this number has from other channels of the same adapter. */
async function referencesOf(
  domain: UnmatchedReads,
  channelId: string,
  orderNo: string,
): Promise<ReadonlySet<string | null>> {
  const order = await findOrderByNumber(domain, orderNo);
  if (!order) return new Set();
  const [isSame, { payments }] = await Promise.all([isOfAdapter(domain, channelId), readOrderHistory(domain, order)]);
  const same = await Promise.all(payments.map((payment) => isSame(payment.channelId)));
  return new Set(payments.filter((one, i) => same[i] && one.channelId !== channelId).map(({ reference }) => reference));
}
