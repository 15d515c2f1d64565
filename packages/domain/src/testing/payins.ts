import { randomBytes } from 'node:crypto';
import type { MerchantProfile } from '../configuration/read-merchants.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { ApplyReport, BookWallet, CreatePayin } from '../core/commands.ts';
import type { Country } from '../core/country.ts';
import type { Order, OrderRef } from '../core/order.ts';
import { makeOrderNo } from '../core/order-number.ts';
import type { PayinRequest } from '../countries/definition.ts';
import type { Domain } from '../open-domain.ts';
import { aNewOrder } from './on-paper.ts';

// Payins on a real database, as commands and requests.

/** A request as its country's schema reads it. */
export function aPayinRequest(changes: Partial<PayinRequest> = {}): PayinRequest {
  return {
    merchantOrderNo: `M-${randomBytes(6).toString('hex')}`,
    amount: '100.00',
    bankCode: null,
    notifyUrl: 'http://127.0.0.1:9/n',
    details: {},
    ...changes,
  };
}

/** The ledger writer's command for a new payin of this merchant, over 100.00 with a fee of 2.50 and the fake channel. */
export function aCreate(
  merchantId: string,
  country: Country,
  changes: Parameters<typeof aNewOrder>[2] = {},
): CreatePayin {
  const orderNo = makeOrderNo('payin', merchantId, Date.now(), randomBytes(12));
  const order = aNewOrder(country, 'payin', { merchantId, orderNo, merchantOrderNo: orderNo, ...changes });
  return { type: 'createPayin', order, submitAfter: 0, expiresIn: 1_800_000 };
}

export function aReport(
  { merchantId, orderNo }: OrderRef,
  answer: ChannelAnswer,
  during: ApplyReport['during'] = 'callback',
): ApplyReport {
  return { type: 'applyReport', ref: { merchantId, orderNo }, channelId: 'fake', answer, during };
}

export const paid = (reference = 'P1', amount = '100.00'): ChannelAnswer => ({
  outcome: 'paid',
  payments: [{ reference, amount }],
});

export function aTopUp(merchantId: string, bookingNo: string, amount = '1.00'): BookWallet {
  const by = { actor: 'tester', approver: null, reason: 'a test' };
  return { type: 'bookWallet', entry: 'TOP_UP', merchantId, bookingNo, amount, remark: 'test', by };
}

/** A payin in the ledger, as the ledger writer leaves it. */
export async function placePayin(
  domain: Domain,
  merchantId: string,
  country: Country,
  changes: Parameters<typeof aNewOrder>[2] = {},
): Promise<Order> {
  const placed = await domain.commit(aCreate(merchantId, country, changes));
  if (!placed.ok || !placed.order) throw new Error('not placed');
  return placed.order;
}

export async function profileOf(domain: Domain, merchantId: string): Promise<MerchantProfile> {
  const profile = await domain.directory.merchant(merchantId);
  if (!profile) throw new Error(`no merchant ${merchantId}`);
  return profile;
}
