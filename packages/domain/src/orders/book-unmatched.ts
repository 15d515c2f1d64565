import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { ChannelAnswer, ChannelPayment } from '../core/channel-answer.ts';
import { platformMerchantOf } from '../core/country.ts';
import type { OrderKind } from '../core/order.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { countries, currencyOf } from '../countries/index.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { findOrderByNumber } from './find-order.ts';
import { readOrderHistory } from './read-order-history.ts';

interface Unmatched {
  kind: OrderKind;
  orderNo: string;
  currency: string;
  answer: ChannelAnswer;
}

type Movement = ChannelPayment & { direction: 'in' | 'out' | 'back' };

/**
 * Books money that a channel reports for an order that it does not have: it goes to the suspense of the country's
 * platform tenant, with a case (decisions 5.5). Booked once, however often it is reported. Two channels of one account
 * at a provider both report a payment: what the order has from a channel of the same adapter is left out.
 */
export async function bookUnmatched(
  domain: LedgerAccess & LedgerReadAccess & DatabaseAccess & ChannelAccess & DirectoryAccess & Telemetry,
  channelId: string,
  { kind, orderNo, currency, answer }: Unmatched,
): Promise<void> {
  const movements = movementsOf(kind, answer);
  const country = countries.find((one) => currencyOf[one] === currency);
  if (movements.length === 0 || !country) {
    const about = { channelId, orderNo: orderNo.slice(0, 40), outcome: answer.outcome };
    domain.log.warn(about, 'a channel reported an order that it does not have');
    return;
  }
  const known = await referencesOf(domain, channelId, orderNo);
  for (const { reference, amount, direction } of movements.filter((one) => !known.has(one.reference)))
    await domain.commit({
      type: 'bookUnmatched',
      merchantId: platformMerchantOf(country),
      ...{ channelId, orderNo, reference, amount, direction },
    });
}

function movementsOf(kind: OrderKind, answer: ChannelAnswer): Movement[] {
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  const direction = kind === 'payin' ? 'in' : 'out';
  const movements: Movement[] = payments.map((payment) => ({ ...payment, direction }));
  if (answer.outcome === 'returned') movements.push({ ...answer.returned, direction: 'back' });
  return movements;
}

/** The payments that an order of this number has from other channels of the same adapter. */
async function referencesOf(
  domain: LedgerReadAccess & DatabaseAccess & ChannelAccess & DirectoryAccess,
  channelId: string,
  orderNo: string,
): Promise<ReadonlySet<string>> {
  const order = await findOrderByNumber(domain, orderNo);
  if (!order) return new Set();
  const [here, { payments }] = await Promise.all([domain.channels(channelId), readOrderHistory(domain, order)]);
  const same = await Promise.all(
    payments.map(async (payment) => (await domain.channels(payment.channelId))?.adapter === here?.adapter),
  );
  return new Set(payments.filter((one, i) => same[i] && one.channelId !== channelId).map(({ reference }) => reference));
}
